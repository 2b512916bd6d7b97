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

/** The text can be part of a key in every store. */
export const keyText: TextRule = {
  must: 'have a character that is not white space, and no NUL character',
  matches: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
}

/** Makes the schema of a text of 1 to `maxLength` characters that is not blank. */
export const nonBlankText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, rule: notBlank, ...options })

/** Makes the schema of a text of 1 to `maxLength` characters that keeps to `plainLine`. */
export const plainLineText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, rule: plainLine, ...options })
