import { Histogram } from '../rules/histogram.ts'

/** Limit of tools and routes; a tenant may give its own tools any name. */
const MAX_NAMES = 2_000
/** Names beyond the bound are counted together. */
const OTHERS = '(others)'

export class ToolMeters {
  readonly #byTool = new Map<string, Histogram>()
  readonly #max: number

  constructor(max = MAX_NAMES) {
    this.#max = max
  }

  get size(): number {
    return this.#byTool.size
  }

  add(tool: string, durationMs: number): void {
    let known = this.#byTool.get(tool)
    if (!known) {
      const name = this.#byTool.size < this.#max ? tool : OTHERS
      known = this.#byTool.get(name) ?? new Histogram()
      this.#byTool.set(name, known)
    }
    known.add(durationMs)
  }

  /** Tools with the largest total time first. */
  byTime(): { tool: string; histogram: Histogram }[] {
    const all = [...this.#byTool].map(([tool, histogram]) => ({ tool, histogram }))
    return all.sort((a, b) => b.histogram.sumMs - a.histogram.sumMs || (a.tool < b.tool ? -1 : 1))
  }
}
