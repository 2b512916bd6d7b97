import { Type } from './schema.ts'

/**
 * A text rule is the value of the keyword `rule` in a string schema: `Type.String({ maxLength: 200, rule: notBlank })`. The gateway
 * checks it, says it in words when it is broken, and does not publish it, so `matches` may use everything that JavaScript’s regular
 * expressions offer. A published `pattern` is also compiled by engines that offer less.
 */
export interface TextRule {
  /** The rule completes the sentence “`name` must …”. It also explains the `pattern` of the same schema. */
  readonly must: string
  /** The regular expression (flag `u`) matches somewhere in every valid text. Without it, `pattern` is the whole rule. */
  readonly matches?: string
  /** A text that breaks the rule is read once more without the white space around it. */
  readonly trims?: true
}

/** Makes a function that returns true for a text that follows a rule. */
export function textTest({ matches = '' }: TextRule): (text: string) => boolean {
  const compiled = new RegExp(matches, 'u')
  return (text) => compiled.test(text)
}

/** The text has at least one character that is not white space. */
export const notBlank: TextRule = { must: 'have a character that is not white space', matches: '\\S' }

/** The text fits in one line: it has no control characters, and is not blank. */
export const plainLine: TextRule = {
  must: 'be one line without control characters and not blank',
  matches: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
}

/** The text may have several lines, and has no control characters except tabs and line feeds. */
export const plainText: TextRule = {
  must: 'have no control characters except tabs and line feeds',
  matches: '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f]*$',
}

/** The text begins like an http or https address. */
export const httpAddress: TextRule = { must: 'be an http or https address', matches: '^https?://' }

/** The text is the address of a server and no more: a scheme, a host, and perhaps a port. */
export const serverAddress: TextRule = {
  must: 'be an http or https address without a path and without a slash at its end, such as https://gateway.example',
  matches: '^https?://[^/?#@\\s]+$',
}

/** The text can be part of a key in every store. */
export const keyText: TextRule = {
  must: 'have a character that is not white space, and no NUL character',
  matches: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
}

/** Characters that nobody sees, as a part of a class of characters: two names that look the same would be two names. */
export const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0'

/** The text names a repo, by its name, an absolute folder or a git remote. All families find the same repo by it. */
export const repoReference = {
  must: 'be a name, an absolute folder or a git remote, without white space around it, control characters and invisible characters',
  matches: `^(?!\\s|\\.{1,2}$)[^${UNSEEN}]+(?<!\\s)$`,
  trims: true,
} satisfies TextRule

/** Makes the schema of a text of 1 to `maxLength` characters that is not blank. */
export const nonBlankText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, rule: notBlank, ...options })

/** Makes the schema of a text of 1 to `maxLength` characters that keeps to `plainLine`. */
export const plainLineText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, rule: plainLine, ...options })

/** Makes the schema of a text of 1 to `maxLength` characters that names a repo; white space around it is left out. */
export const repoText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, rule: repoReference, ...options })
