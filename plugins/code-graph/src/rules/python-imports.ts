import type { Binding } from './facts.ts'

export interface PythonImport {
  readonly to: string
  readonly binds: readonly Binding[]
}

const NAME = /^[\p{L}_]/u

/** Returns the imports of an `import` or `from` statement, and none for any other. */
export function importsOf(tokens: readonly string[]): readonly PythonImport[] {
  if (tokens[0] === 'import') return plain(tokens.slice(1))
  const at = tokens.indexOf('import')
  if (tokens[0] !== 'from' || at < 2) return []
  // `...` is a single token, like an ellipsis.
  const to = tokens.slice(1, at).join('')
  const names = tokens.slice(at + 1).filter((token) => token !== '(' && token !== ')')
  return [{ to, binds: split(names).flatMap(fromBinding) }]
}

function plain(tokens: readonly string[]): PythonImport[] {
  return split(tokens).flatMap((part) => {
    const as = part.indexOf('as')
    const to = part.slice(0, as < 0 ? undefined : as).join('')
    if (!NAME.test(to)) return []
    return [{ to, binds: [['*', as < 0 ? to : (part[as + 1] ?? to)] as const] }]
  })
}

/** `['*', '*']`: all its names. */
function fromBinding(part: readonly string[]): Binding[] {
  const [theirs, as, ours] = part
  if (theirs === '*') return [['*', '*']]
  return theirs !== undefined && NAME.test(theirs) ? [[theirs, as === 'as' && ours !== undefined ? ours : theirs]] : []
}

function split(tokens: readonly string[]): string[][] {
  const parts: string[][] = [[]]
  for (const token of tokens) {
    if (token === ',') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
