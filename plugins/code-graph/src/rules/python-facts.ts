import type { Facts } from './facts.ts'
import { FactsBuilder } from './facts-builder.ts'
import { importsOf } from './python-imports.ts'
import { type Statement, statements } from './python-tokens.ts'

interface Frame {
  readonly indent: number
  readonly kind: 'def' | 'class'
  /** The symbol that its contents belong to. */
  readonly symbol: string
  /** Local names: a call of one leads nowhere. */
  readonly locals: Set<string>
  readonly calls: string[]
}

const NAME = /^[\p{L}_]/u
const WORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield print match case'.split(
    ' ',
  ),
)

/** Returns the facts of a Python file, from its tokens: text in a string or a comment yields none. */
export function pythonFacts(text: string): Facts {
  const facts = new FactsBuilder()
  const frames: Frame[] = []
  const close = (indent: number): void => {
    while (frames.length > 0 && (frames.at(-1) as Frame).indent >= indent) leave(facts, frames)
  }
  let opening: Statement | undefined
  for (const statement of statements(text)) {
    if (statement.indent >= 0) close(statement.indent)
    // A decorator is outside of what it decorates; `async def` is a def.
    const tokens = statement.tokens[0] === 'async' ? statement.tokens.slice(1) : statement.tokens
    if (statement.indent >= 0) opening = statement
    const imports = importsOf(tokens)
    for (const { to, binds } of imports) {
      if (binds.some(([, ours]) => ours === '*')) facts.pass(to, [['*', '*']])
      else facts.refer(to, binds)
    }
    if (imports.length > 0) continue
    if ((tokens[0] === 'def' || tokens[0] === 'class') && NAME.test(tokens[1] ?? '')) enter(facts, frames, opening?.indent ?? 0, tokens)
    else read(facts, frames, tokens)
  }
  close(-1)
  return facts.build('open')
}

function enter(facts: FactsBuilder, frames: Frame[], indent: number, tokens: readonly string[]): void {
  const [kind, name] = tokens as ['def' | 'class', string]
  const outer = frames.at(-1)
  const symbol = outer === undefined ? name : outer.kind === 'class' && frames.length === 1 ? `${outer.symbol}.${name}` : outer.symbol
  if (outer === undefined || (outer.kind === 'class' && frames.length === 1)) facts.symbol(symbol)
  else outer.locals.add(name)
  // Expressions in its head are evaluated outside of it.
  const head = tokens.slice(2)
  for (const what of callsIn(head)) note(facts, outer, what)
  frames.push({ indent, kind, symbol, locals: kind === 'def' ? parameters(head) : new Set(), calls: [] })
}

/** Closes frames. A call not bound in any enclosing frame refers to a name of the module. */
function leave(facts: FactsBuilder, frames: Frame[]): void {
  const frame = frames.pop() as Frame
  const outer = frames.at(-1)
  const owner = frames.find(({ kind }) => kind === 'class')
  for (const what of frame.calls) {
    const [head = '', ...rest] = what.split('.')
    const self = frame.kind === 'def' && owner && (head === 'self' || head === 'cls') && frame.symbol.startsWith(`${owner.symbol}.`)
    if (self) {
      if (rest.length === 1) facts.call(frame.symbol, `${owner.symbol}.${rest[0]}`)
    } else if (frame.locals.has(head)) continue
    else if (outer && outer.symbol === frame.symbol) outer.calls.push(what)
    else facts.call(frame.symbol, what)
  }
}

function read(facts: FactsBuilder, frames: readonly Frame[], tokens: readonly string[]): void {
  const frame = frames.at(-1)
  const bound = boundIn(tokens)
  if (frame) for (const name of bound) frame.locals.add(name)
  else if (!tokens.includes('for')) for (const name of bound) facts.symbol(name)
  for (const what of callsIn(tokens)) note(facts, frame, what)
}

function note(facts: FactsBuilder, frame: Frame | undefined, what: string): void {
  if (frame) frame.calls.push(what)
  else facts.call('', what)
}

/** Yields dotted names that are followed by a bracket, or decorate. */
function* callsIn(tokens: readonly string[]): Generator<string> {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    if (!NAME.test(token) || WORDS.has(token) || tokens[at - 1] === '.') continue
    const parts = [token]
    let next = at + 1
    for (; tokens[next] === '.' && NAME.test(tokens[next + 1] ?? ''); next += 2) parts.push(tokens[next + 1] as string)
    if (tokens[next] === '(' || (at === 1 && tokens[0] === '@')) yield parts.slice(0, 5).join('.')
  }
}

/** Returns names that a statement binds: assigned, looped over, opened with `as`. */
function boundIn(tokens: readonly string[]): string[] {
  const names: string[] = []
  const assigned = tokens.indexOf('=')
  const targets = [':', ':='].includes(tokens[1] ?? '') ? tokens.slice(0, 1) : tokens.slice(0, Math.max(0, assigned))
  if (!targets.includes('(') || targets[0] === '(') names.push(...simpleNames(targets))
  for (const [at, token] of tokens.entries()) {
    if (token === 'for') names.push(...simpleNames(tokens.slice(at + 1, tokens.indexOf('in', at))))
    if (token === 'as' || token === ':=')
      names.push(...simpleNames(token === 'as' ? tokens.slice(at + 1, at + 2) : tokens.slice(at - 1, at)))
  }
  return names
}

function simpleNames(tokens: readonly string[]): string[] {
  return tokens.filter((token, at) => NAME.test(token) && !WORDS.has(token) && tokens[at - 1] !== '.' && tokens[at + 1] !== '.')
}

/** Returns the parameter names: the first token after a bracket or a comma of the outermost list. */
function parameters(head: readonly string[]): Set<string> {
  const names = new Set<string>()
  let depth = 0
  for (const [at, token] of head.entries()) {
    if ('([{'.includes(token)) depth++
    if (')]}'.includes(token) && --depth === 0) break
    const before = head[at - 1] ?? ''
    if (depth === 1 && NAME.test(token) && ['(', ',', '*', '**'].includes(before) && token !== 'self' && token !== 'cls') names.add(token)
  }
  return names
}
