import { type Facts, NO_FACTS, passesOn, type Reference } from './facts.ts'

/** Returns the facts, old and new, of the files that a reference leads to, or `undefined` when they are not known. */
export type Targets = (reference: Reference) => readonly Facts[] | undefined

/** Returns the names that resolve differently in a file than before, or `undefined` when it may be any. */
export function changedNames(before: Facts, after: Facts, targets: Targets): ReadonlySet<string> | undefined {
  const referred = passesOn(before) || passesOn(after) ? referredNames(before, after, targets) : new Set<string>()
  if (!referred) return undefined
  // When a member changes, the whole symbol changes: a call of it may lead to either.
  const heads = new Set([...difference(before.symbols, after.symbols)].map((symbol) => symbol.replace(/\..*$/, '')))
  if (before.exports === 'open' || after.exports === 'open') return heads
  const pairs = difference(before.exports.map(pair), after.exports.map(pair))
  const names = new Set([...referred, ...[...pairs].map((one) => one.slice(0, one.indexOf('\0')))])
  for (const [as, ours] of [...before.exports, ...after.exports]) if (heads.has(ours)) names.add(as)
  return names
}

/** Returns the names that a file re-exports through references that were added or removed. */
function referredNames(before: Facts, after: Facts, targets: Targets): ReadonlySet<string> | undefined {
  const [old, now] = [new Map(before.references.map(keyed)), new Map(after.references.map(keyed))]
  const [stayed, stay] = [[...old.keys()].filter((key) => now.has(key)), [...now.keys()].filter((key) => old.has(key))]
  const differing = [...old, ...now].flatMap(([key, reference]) => (old.has(key) && now.has(key) ? [] : [reference]))
  // The first reference that has a name wins.
  if (stayed.some((key, at) => key !== stay[at])) return undefined
  if (differing.length === 0) return new Set()
  const names = new Set<string>()
  for (const reference of differing) {
    const own = namesOver(reference, [before, after], targets)
    if (!own) return undefined
    for (const name of own) names.add(name)
  }
  return names
}

function namesOver(reference: Reference, of: readonly Facts[], targets: Targets): readonly string[] | undefined {
  const { binds = [], passes = [] } = reference
  const ours = new Set(binds.map(([, name]) => name))
  const names: string[] = passes.flatMap(([, as]) => (as === '*' ? [] : [as]))
  for (const { exports } of of) {
    if (exports === 'open') return undefined
    for (const [as, name] of exports) if (ours.has(name)) names.push(as)
  }
  if (!passes.some(([, as]) => as === '*')) return names
  for (const target of targets(reference) ?? [OPEN]) {
    const all = allNames(target)
    if (!all) return undefined
    names.push(...all)
  }
  return names
}

/** Returns all names that can be imported from a file, if it lists them itself. */
function allNames({ exports, references }: Facts): readonly string[] | undefined {
  const passed = references.flatMap(({ passes = [] }) => passes.map(([, as]) => as))
  return exports === 'open' || passed.includes('*') ? undefined : [...exports.map(([as]) => as), ...passed]
}

const OPEN: Facts = { ...NO_FACTS, exports: 'open' }
const keyed = (reference: Reference) => [JSON.stringify(reference), reference] as const

/** Returns the names that others find in a file and that may be defined in another one, or `undefined` when it may be any. */
export function passedNames({ exports, symbols, references }: Facts): ReadonlySet<string> | undefined {
  const passed = references.flatMap(({ passes = [] }) => passes)
  if (exports === 'open' || passed.some(([, as]) => as === '*')) return undefined
  const own = new Set(symbols)
  return new Set([...exports.flatMap(([as, ours]) => (own.has(ours) ? [] : [as])), ...passed.map(([, as]) => as)])
}

const pair = ([as, ours]: readonly [string, string]): string => `${as}\0${ours}`

function difference(a: readonly string[], b: readonly string[]): Set<string> {
  const [left, right] = [new Set(a), new Set(b)]
  return new Set([...a.filter((one) => !right.has(one)), ...b.filter((one) => !left.has(one))])
}

/**
 * Returns how an importing file is affected when these names have changed (`undefined`: any). `isModule` tells that the name of a
 * reference is the changed file itself, as in Python's `from package import module`: the importer then reaches every name of it.
 */
export function touchOf(
  facts: Facts,
  names: ReadonlySet<string> | undefined,
  isModule: (to: string, name: string) => boolean,
): { readonly links: boolean; readonly passes: boolean; readonly renames: boolean } {
  const touch = { links: false, passes: false, renames: false }
  const hit = (name: string): boolean => name === '*' || names === undefined || names.has(name)
  for (const { to, binds = [], passes = [] } of facts.references) {
    for (const [name, ours] of binds) {
      const theirs = hit(name) || !isModule(to, name) ? name : '*'
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
