import { stringEnd } from './python-strings.ts'

/** A statement as far as edges need it: its names and punctuation, without comments; a string is `''`. */
export interface Statement {
  /** Columns before it; -1 for a statement that follows another in its line. */
  readonly indent: number
  readonly tokens: readonly string[]
}

const TAB = 8
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy
const NUMBER = /(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?[jJ]?|\.\d[\d_]*)/y
const OPERATOR = /->|:=|\.\.\.|[-+*/%&|^<>=!@]=|\*\*=?|\/\/=?|<<=?|>>=?|[^\s]/uy

export function* statements(text: string): Generator<Statement> {
  let [at, depth] = [0, 0]
  let tokens: string[] = []
  let indent = 0
  let isFirst = true
  const end = function* (): Generator<Statement> {
    if (tokens.length > 0) yield { indent: isFirst ? indent : -1, tokens }
    if (tokens.length > 0) isFirst = false
    tokens = []
  }
  while (at < text.length) {
    const char = text[at] as string
    if (char === '\n' && depth === 0) {
      yield* end()
      isFirst = true
      ;[at, indent] = indentation(text, at + 1)
    } else if (/\s/.test(char)) at++
    else if (char === '#') at = lineEnd(text, at)
    else if (char === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) at = text.indexOf('\n', at) + 1
    else if (char === ';' && depth === 0) {
      yield* end()
      at++
    } else {
      const [token, next] = tokenAt(text, at)
      if (isFirst && tokens.length === 0 && at === 0) indent = 0
      at = next
      tokens.push(token)
      if ('([{'.includes(token)) depth++
      else if (')]}'.includes(token)) depth = Math.max(0, depth - 1)
      else if (token === ':' && depth === 0) yield* end()
    }
  }
  yield* end()
}

function tokenAt(text: string, at: number): [token: string, next: number] {
  const name = match(NAME, text, at)
  if (name !== undefined) {
    const next = at + name.length
    const isPrefix = /^(?:[rbuft]|[rR][bBfFtT]|[bBfFtT][rR])$/i.test(name) && /['"]/.test(text[next] ?? '')
    return isPrefix ? ["''", stringEnd(text, next, name)] : [name, next]
  }
  if (/['"]/.test(text[at] as string)) return ["''", stringEnd(text, at, '')]
  const token = match(NUMBER, text, at)
  if (token !== undefined) return ['0', at + token.length]
  const operator = match(OPERATOR, text, at) ?? (text[at] as string)
  return [operator, at + operator.length]
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function indentation(text: string, from: number): [at: number, columns: number] {
  let columns = 0
  for (let at = from; ; at++) {
    if (text[at] === ' ') columns++
    else if (text[at] === '\t') columns += TAB - (columns % TAB)
    else return [at, columns]
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
