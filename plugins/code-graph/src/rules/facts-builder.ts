import type { Binding, Call, Exports, Facts } from './facts.ts'

/** Maximum number of entries per file. A file with more is generated, and its further names are of no interest. */
const MAX_ENTRIES = 20_000

/** Collects the facts of a file, each once. */
export class FactsBuilder {
  readonly #references = new Map<string, { binds: Binding[]; passes: Binding[] }>()
  readonly #exports = new Map<string, string>()
  readonly #symbols = new Set<string>()
  readonly #calls = new Map<string, Call>()

  refer(to: string, binds: readonly Binding[] = []): void {
    this.#reference(to)?.binds.push(...binds)
  }

  pass(to: string, passes: readonly Binding[]): void {
    this.#reference(to)?.passes.push(...passes)
  }

  export(as: string, ours: string): void {
    if (this.#exports.size < MAX_ENTRIES) this.#exports.set(as, ours)
  }

  symbol(name: string): void {
    if (this.#symbols.size < MAX_ENTRIES) this.#symbols.add(name)
  }

  call(by: string, what: string): void {
    if (this.#calls.size < MAX_ENTRIES) this.#calls.set(`${by} ${what}`, [by, what])
  }

  add(other: FactsBuilder): void {
    for (const [to, { binds, passes }] of other.#references) {
      this.refer(to, binds)
      this.pass(to, passes)
    }
    for (const [as, ours] of other.#exports) this.export(as, ours)
    for (const name of other.#symbols) this.symbol(name)
    for (const [by, what] of other.#calls.values()) this.call(by, what)
  }

  build(exports: Exports = [...this.#exports]): Facts {
    const references = [...this.#references].map(([to, { binds, passes }]) => ({
      to,
      ...(binds.length > 0 && { binds }),
      ...(passes.length > 0 && { passes }),
    }))
    return { references, exports, symbols: [...this.#symbols], calls: [...this.#calls.values()] }
  }

  #reference(to: string): { binds: Binding[]; passes: Binding[] } | undefined {
    if (to === '' || to.length > 1_000) return undefined
    const known = this.#references.get(to)
    if (known || this.#references.size >= MAX_ENTRIES) return known
    const made = { binds: [], passes: [] }
    this.#references.set(to, made)
    return made
  }
}
