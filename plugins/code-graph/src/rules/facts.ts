/**
 * The facts of a single file, from its text alone. Which other files it leads to is decided once all files are known, so facts
 * hold for as long as the content does, and are kept under its hash.
 */
export interface Facts {
  readonly references: readonly Reference[]
  readonly exports: Exports
  /** Top-level functions, classes and values by name, and their members as `Name.member`. */
  readonly symbols: readonly string[]
  readonly calls: readonly Call[]
  /** Says why the parser refused it. Its references come from tokens then, and the rest is missing. */
  readonly fault?: string
}

/** A specifier as it is written, with the names it binds. */
export interface Reference {
  readonly to: string
  readonly binds?: readonly Binding[]
  /** Names that are re-exported under a name of this file; `*` for all of them. */
  readonly passes?: readonly Binding[]
}
/** `default` is the default export, `*` the whole module; `ours` may be dotted in Python. */
export type Binding = readonly [theirs: string, ours: string]

/** `open`: every symbol and every imported name can be imported, as in Python. */
export type Exports = 'open' | readonly (readonly [as: string, ours: string])[]

/** `by` is the symbol that calls, '' for the module itself; `what` is a dotted name as it is written. */
export type Call = readonly [by: string, what: string]

export const NO_FACTS: Facts = { references: [], exports: [], symbols: [], calls: [] }

/** Increased when the same content would yield different facts: stored facts of an older version are read again. */
export const FACTS_VERSION = 2

/** True if names that are defined in another file can be imported from this one. */
export function passesOn({ exports, symbols, references }: Facts): boolean {
  if (exports === 'open' || references.some(({ passes }) => passes)) return true
  const own = new Set(exports.length === 0 ? [] : symbols)
  return exports.some(([, ours]) => !own.has(ours))
}
