import { type Facts, passesOn } from './facts.ts'

/** The names under which others find something else in a file than before; `undefined` when it may be any. */
export function changedNames(before: Facts, after: Facts): ReadonlySet<string> | undefined {
  const isPassing = passesOn(before) || passesOn(after)
  if (isPassing && JSON.stringify(before.references) !== JSON.stringify(after.references)) return undefined
  // With a member the whole has changed: a call of it may lead to the one or the other.
  const heads = new Set([...difference(before.symbols, after.symbols)].map((symbol) => symbol.replace(/\..*$/, '')))
  if (before.exports === 'open' || after.exports === 'open') return heads
  const names = new Set([...difference(before.exports.map(pair), after.exports.map(pair))].map((one) => one.slice(0, one.indexOf('\0'))))
  for (const [as, ours] of [...before.exports, ...after.exports]) if (heads.has(ours)) names.add(as)
  return names
}

const pair = ([as, ours]: readonly [string, string]): string => `${as}\0${ours}`

function difference(a: readonly string[], b: readonly string[]): Set<string> {
  const [left, right] = [new Set(a), new Set(b)]
  return new Set([...a.filter((one) => !right.has(one)), ...b.filter((one) => !left.has(one))])
}

/** How a file that imports another is touched when these names have changed there (`undefined`: any). */
export function touchOf(
  facts: Facts,
  names: ReadonlySet<string> | undefined,
): { readonly links: boolean; readonly passes: boolean; readonly renames: boolean } {
  const touch = { links: false, passes: false, renames: false }
  const hit = (name: string): boolean => name === '*' || names === undefined || names.has(name)
  for (const { binds = [], passes = [] } of facts.references) {
    for (const [theirs, ours] of binds) {
      if (!hit(theirs)) continue
      touch.links = true
      const exported = facts.exports === 'open' ? [ours] : facts.exports.flatMap(([as, of]) => (of === ours ? [as] : []))
      if (exported.length > 0) touch.passes = true
      if (exported.some((as) => as !== theirs)) touch.renames = true
    }
    for (const [theirs, as] of passes) {
      if (!hit(theirs)) continue
      touch.passes = true
      if (as !== theirs) touch.renames = true
    }
  }
  return touch
}
