import type { Binding } from './facts.ts'
import type { FactsBuilder } from './facts-builder.ts'
import { type JsToken, jsTokens } from './js-tokens.ts'

/** Longer lists of names are not read: their file is generated. */
const MAX_CLAUSE = 5_000
/** Modifiers of a name that is imported: TypeScript's and Flow's. */
const MODIFIERS = new Set(['type', 'typeof'])

/**
 * Reads imports and re-exports from the tokens of a text that the parser refuses: one with the markers of a merge conflict, whose both
 * sides count, with Flow types, or in the middle of being written. Symbols and calls need a syntax tree and are left out.
 */
export function scanImports(text: string, facts: FactsBuilder): void {
  const tokens = [...jsTokens(withoutMarkers(text))]
  for (const [at, { kind, text: word }] of tokens.entries()) {
    if (kind !== 'name' || tokens[at - 1]?.text === '.') continue
    if (word === 'import') readImport(tokens, at + 1, facts)
    else if (word === 'export') readExport(tokens, at + 1, facts)
    else if (word === 'require') readRequire(tokens, at + 1, facts)
  }
}

/** Both sides of each conflict, one after the other; their common ancestor, which some tools show between them, is left out. */
function withoutMarkers(text: string): string {
  if (!/^<{7}/m.test(text)) return text
  let isAncestor = false
  const kept = text.split(/\r?\n/).filter((line) => {
    const [mark] = /^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)/.exec(line) ?? []
    if (mark !== undefined) isAncestor = mark.startsWith('|')
    return mark === undefined && !isAncestor
  })
  return kept.join('\n')
}

function readImport(tokens: readonly JsToken[], at: number, facts: FactsBuilder): void {
  const next = tokens[at]
  if (next?.kind === 'string') return facts.refer(next.text)
  if (next?.text === '(') {
    const what = tokens[at + 1]
    if (what?.kind === 'string' && /^[,)]$/.test(tokens[at + 2]?.text ?? '')) facts.refer(what.text)
    return
  }
  const begins = isModifier(tokens, at) ? at + 1 : at
  const clause = clauseAt(tokens, begins)
  if (clause) facts.refer(clause.from, bindings(clause.names, 'default'))
}

/** `import type x from` has one; `import type from` and `import type, { x } from` import a default of that name. */
function isModifier(tokens: readonly JsToken[], at: number): boolean {
  const [word, next, third] = tokens.slice(at, at + 3)
  const isWord = word?.kind === 'name' && (MODIFIERS.has(word.text) || word.text === 'defer' || word.text === 'source')
  return isWord && next?.text !== ',' && !(next?.text === 'from' && third?.kind === 'string')
}

function readExport(tokens: readonly JsToken[], at: number, facts: FactsBuilder): void {
  const begins = isModifier(tokens, at) ? at + 1 : at
  if (!/^[*{]$/.test(tokens[begins]?.text ?? '')) return
  const clause = clauseAt(tokens, begins)
  if (clause) facts.pass(clause.from, bindings(clause.names, '*'))
}

function readRequire(tokens: readonly JsToken[], at: number, facts: FactsBuilder): void {
  const open = tokens[at]?.text === '.' && tokens[at + 1]?.text === 'resolve' ? at + 2 : at
  const what = tokens[open + 1]
  if (tokens[open]?.text === '(' && what?.kind === 'string' && tokens[open + 2]?.text === ')') facts.refer(what.text)
}

/** The names between `import` or `export` and `from`, which a string follows. */
function clauseAt(tokens: readonly JsToken[], at: number): { readonly from: string; readonly names: readonly JsToken[] } | undefined {
  for (let end = at; end < Math.min(tokens.length, at + MAX_CLAUSE); end++) {
    const [token, next] = [tokens[end] as JsToken, tokens[end + 1]]
    if (token.text === 'from' && token.kind === 'name' && next?.kind === 'string') return { from: next.text, names: tokens.slice(at, end) }
    const isPart =
      token.kind === 'name' ? !/^(?:import|export|const|let|var|function|class)$/.test(token.text) : /^[{}*,]$/.test(token.text)
    if (!isPart && token.kind !== 'string') return undefined
  }
  return undefined
}

/** `outside`: the name by which a name outside of braces is meant. */
function bindings(names: readonly JsToken[], outside: 'default' | '*'): readonly Binding[] {
  const found: Binding[] = []
  let [depth, part]: [number, string[]] = [0, []]
  const end = (): void => {
    const words = part.length > 1 && MODIFIERS.has(part[0] ?? '') && part[1] !== 'as' ? part.slice(1) : part
    const [theirs, as, ours] = words
    if (theirs !== undefined)
      found.push(depth > 0 || theirs === '*' ? [theirs, as === 'as' && ours !== undefined ? ours : theirs] : [outside, theirs])
    part = []
  }
  for (const { text } of names) {
    if (text === '{') {
      end()
      depth++
    } else if (text === '}') {
      end()
      depth--
    } else if (text === ',') end()
    else part.push(text)
  }
  end()
  return found
}
