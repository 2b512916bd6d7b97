import { argumentsOfCommands } from './commands.ts'
import { isHeaderName, isNumericSecretName, isSecretName } from './names.ts'
import { replaceRuns } from './runs.ts'
import { nameBefore, SEPARATOR } from './separators.ts'
import { isJwt, isWords, KEYS, looksRandom, SHORTEST } from './shapes.ts'
import { passwordsAlone } from './statements.ts'
import { isProse, REDACTED, valueAfter } from './value.ts'

/** Each step scans the text once and passes its result to the next. */
export const steps: readonly ((text: string) => string)[] = [
  privateKeys,
  urlPasswords,
  namedValues,
  argumentsOfCommands,
  passwordsAlone,
  schemes,
  keys,
]

export function pass(text: string): string {
  let result = text
  for (const step of steps) result = step(result)
  return result
}

/** PEM blocks of private keys; an unfinished one extends to the end. */
function privateKeys(text: string): string {
  let result = ''
  let from = 0
  for (;;) {
    const begin = text.indexOf('-----BEGIN ', from)
    if (begin === -1) return result + text.slice(from)
    const headEnd = text.indexOf('-----', begin + 11)
    const head = text.slice(begin + 11, headEnd === -1 ? undefined : headEnd)
    const isPrivate = head.length > 60 ? head.slice(0, 60).includes('PRIVATE KEY') : head.includes('PRIVATE KEY')
    if (!isPrivate) {
      result += text.slice(from, begin + 11)
      from = begin + 11
      continue
    }
    const end = headEnd === -1 ? -1 : text.indexOf('-----END ', headEnd)
    const tail = end === -1 ? -1 : text.indexOf('-----', end + 9)
    result += text.slice(from, begin) + REDACTED
    if (tail === -1) return result
    from = tail + 5
  }
}

/** The password in `scheme://user:password@host`. */
function urlPasswords(text: string): string {
  return text.replace(/:\/\/([^\s"'`<>]+)/g, (whole, rest: string) => {
    const slash = rest.search(/[/?#]/)
    const authority = slash === -1 ? rest : rest.slice(0, slash)
    const colon = authority.indexOf(':')
    if (colon === -1) return whole
    // A password may hold an unescaped slash; a port consists of digits.
    const isPort = /^\d{1,5}$/.test(authority.slice(authority.lastIndexOf(':') + 1))
    const at = authority.includes('@') ? authority.lastIndexOf('@') : isPort ? -1 : rest.lastIndexOf('@')
    return at <= colon ? whole : `://${rest.slice(0, colon + 1)}${REDACTED}${rest.slice(at)}`
  })
}

const PLAIN = /^(?:null|undefined|true|false|none)$/i
const NUMBER = /^[^"'`]-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** `name: value`, `name=value`, `name%3Dvalue`, `"name": "value"`, `--name value`, `<name>value`, if the name marks a secret. */
function namedValues(text: string): string {
  let result = ''
  let from = 0
  SEPARATOR.lastIndex = 0
  for (let found = SEPARATOR.exec(text); found !== null; found = SEPARATOR.exec(text)) {
    const after = SEPARATOR.lastIndex
    const at = text[found.index] === '%' ? found.index : after - 1
    const name = nameBefore(text, at, from)
    if (name === undefined || !isSecretName(name.text)) continue
    if (text[at] === '>' && text[at - name.text.length - 1] !== '<') continue
    const value = valueAfter(text, after, isHeaderName(name.text), name.quote)
    if (value.start === value.end || PLAIN.test(text.slice(value.start, value.end))) continue
    if (text[at] === ':' && /\w/.test(text[at - 1] as string) && isProse(text, after, value)) continue
    // A number without quotes after a name in quotes is a member of a JSON text.
    if (text[at - 1] === '"' && NUMBER.test(text.slice(value.start - 1, value.end)) && !isNumericSecretName(name.text)) continue
    result += text.slice(from, value.start) + REDACTED
    from = value.end
    SEPARATOR.lastIndex = from
  }
  return from === 0 ? text : result + text.slice(from)
}

/** `Bearer …` and `Basic …`, if a token rather than a word follows. */
function schemes(text: string): string {
  return text.replace(/\b(bearer|basic|token)(\s{1,4})([\w.~+/=-]{8,})/gi, (whole, scheme: string, space: string, value: string) =>
    /[A-Z0-9]/.test(value.slice(1)) || value.length > 24 ? scheme + space + REDACTED : whole,
  )
}

/** Secrets that are recognised by their own form. */
function keys(text: string): string {
  return replaceRuns(text, SHORTEST, (run) => {
    const rest = run.replace(KEYS, (key) => (isWords(key) ? key : REDACTED))
    // Web tokens and random keys have capitals, which most runs lack.
    if (!/[A-Z]/.test(rest)) return rest
    return rest
      .replace(/[\w.+/=-]{16,}/g, (token) => (token.includes('eyJ') && isJwt(token) ? REDACTED : token))
      .replace(/[\w+/=-]{24,}/g, (key) => (looksRandom(key) ? REDACTED : key))
  })
}
