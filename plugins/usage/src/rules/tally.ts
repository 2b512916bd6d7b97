import { DIMENSIONS, type Dimension } from '../schema.ts'

/** Name that values beyond the limit are counted under. */
export const OTHER = '(other)'

export type Counts = ReadonlyMap<string, number>

/** Counts of one tenant in one hour, in memory. Adding is on the path of every call: four maps, and no text is created. */
export class Tally {
  readonly hour: number
  readonly #maps: Readonly<Record<Dimension, Map<string, number>>>
  readonly #max: number

  /** `max`: number of distinct values of a dimension between two flushes. */
  constructor(hour: number, max: number) {
    this.hour = hour
    this.#max = max
    this.#maps = { type: new Map(), tool: new Map(), member: new Map(), repo: new Map() }
  }

  add(dimension: Dimension, value: string, quantity = 1): void {
    const map = this.#maps[dimension]
    const known = map.get(value)
    if (known !== undefined) map.set(value, known + quantity)
    else if (map.size < this.#max) map.set(value, quantity)
    else map.set(OTHER, (map.get(OTHER) ?? 0) + quantity)
  }

  *entries(): Generator<readonly [Dimension, string, number]> {
    for (const dimension of DIMENSIONS) for (const [value, quantity] of this.#maps[dimension]) yield [dimension, value, quantity]
  }
}
