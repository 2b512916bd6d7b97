/** A token as far as imports need it. `text` of a string is its content; of a template it is the content when it has no holes, else ''. */
export interface JsToken {
  readonly kind: 'name' | 'string' | 'mark'
  readonly text: string
}

const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /\d[\w.]*/y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const REGEX = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const WORDS_BEFORE_REGEX = /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await)$/
/** Characters that may be read in search of an end that is missing, as a multiple of the text. */
const MAX_WASTE = 10

/**
 * The tokens of a JavaScript text that need not be correct: what a parser refuses is read on. Comments are left out. A quote without its
 * end, such as an apostrophe in JSX, is passed over, and so is a template without its end.
 */
export function* jsTokens(text: string): Generator<JsToken> {
  let before: JsToken | undefined
  const budget = { left: MAX_WASTE * text.length }
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string
    if (/\s/.test(char)) at++
    else if (text.startsWith('//', at)) at = endOf(text, '\n', at, text.length)
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at + 2, text.length)
    else {
      const template = char === '`' ? within(budget, () => templateEnd(text, at), text, at) : undefined
      const [token, next]: readonly [JsToken, number] =
        template === undefined ? tokenAt(text, at, before, budget) : [templateToken(text, at, template), template]
      yield token
      before = token
      at = next
    }
  }
}

interface Budget {
  left: number
}

/** Looks for a whole literal, unless too much was read without a result; a failure costs what lies before `end`. */
function within<T>(budget: Budget, look: () => T | undefined, text: string, at: number, end?: string): T | undefined {
  if (budget.left <= 0) return undefined
  const found = look()
  if (found === undefined) budget.left -= (end === undefined ? text.length : endOf(text, end, at, text.length)) - at
  return found
}

function tokenAt(text: string, at: number, before: JsToken | undefined, budget: Budget): readonly [JsToken, number] {
  const inLine = (pattern: RegExp): string | undefined => within(budget, () => match(pattern, text, at), text, at, '\n')
  const string = /['"]/.test(text[at] as string) ? inLine(STRING) : undefined
  if (string !== undefined) return [{ kind: 'string', text: string.slice(1, -1) }, at + string.length]
  const name = match(NAME, text, at)
  if (name !== undefined) return [{ kind: 'name', text: name }, at + name.length]
  const other = match(NUMBER, text, at) ?? (text[at] === '/' && mayBeRegex(before) ? inLine(REGEX) : undefined)
  return other === undefined ? [{ kind: 'mark', text: text[at] as string }, at + 1] : [{ kind: 'mark', text: '' }, at + other.length]
}

function mayBeRegex(before: JsToken | undefined): boolean {
  if (before?.kind === 'name') return WORDS_BEFORE_REGEX.test(before.text)
  return before === undefined || (before.kind === 'mark' && before.text !== '' && !')]}'.includes(before.text))
}

function templateToken(text: string, at: number, end: number): JsToken {
  const content = text.slice(at + 1, end - 1)
  return { kind: 'string', text: content.includes('${') ? '' : content }
}

/** The place behind a template that begins at `at`, with the templates in its holes; `undefined` when it does not end. */
function templateEnd(text: string, at: number): number | undefined {
  const open: ('`' | '{')[] = ['`']
  for (let here = at + 1; here < text.length; here++) {
    const char = text[here]
    if (char === '\\') here++
    else if (open.at(-1) === '`') {
      if (char === '`') open.pop()
      else if (char === '$' && text[here + 1] === '{') {
        open.push('{')
        here++
      }
    } else if (char === '`' || char === '{') open.push(char)
    else if (char === '}') open.pop()
    if (open.length === 0) return here + 1
  }
  return undefined
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function endOf(text: string, end: string, from: number, otherwise: number): number {
  const at = text.indexOf(end, from)
  return at < 0 ? otherwise : at + end.length
}
