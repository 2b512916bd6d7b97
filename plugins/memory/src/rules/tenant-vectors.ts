import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type Arena, BLOCK } from './arena.ts'
import { Best } from './best.ts'
import { lengthOf } from './quantize.ts'

export interface VectorFilter {
  readonly corpus: string
  /** All of these labels. */
  readonly labels: readonly string[]
  /** At least one of these labels. */
  readonly anyOf?: readonly string[] | undefined
  /** ISO 8601. */
  readonly since?: string | undefined
}
export interface VectorEntry {
  readonly id: string
  readonly corpus: string
  readonly labels: readonly string[]
  readonly createdAt: string
}

/** Blocks scanned before the scan yields: about half a millisecond. */
const BLOCKS_A_TURN = 256

/** Properties shared by many rows. */
interface Kind {
  readonly corpus: string
  readonly labels: ReadonlySet<string>
}

/** Vectors of one tenant: rows in blocks of the arena, in no order. Exact: a scan reads all of them. */
export class TenantVectors {
  readonly #arena: Arena
  readonly #blocks: number[] = []
  readonly #ids: string[] = []
  readonly #kinds: Kind[] = []
  readonly #kindOfRow: Kind[] = []
  readonly #times: number[] = []
  readonly #lengths: number[] = []
  readonly #rows = new Map<string, number[]>()
  readonly #known = new Map<string, Kind>()

  constructor(arena: Arena) {
    this.#arena = arena
  }

  get size(): number {
    return this.#ids.length
  }

  /** Replaces the vectors that the id had before. */
  set(entry: VectorEntry, vectors: readonly Int8Array[]): void {
    this.delete(entry.id)
    const kind = this.#kind(entry)
    const rows = vectors.map((vector) => {
      const row = this.#ids.length
      if (row % BLOCK === 0) this.#blocks.push(this.#arena.take())
      this.#arena.write(this.#blocks[Math.floor(row / BLOCK)] as number, row % BLOCK, vector)
      this.#ids.push(entry.id)
      this.#kindOfRow.push(kind)
      this.#times.push(Date.parse(entry.createdAt))
      this.#lengths.push(lengthOf(vector))
      return row
    })
    this.#rows.set(entry.id, rows)
  }

  delete(id: string): void {
    // Goes from the last on, because the last row moves into each hole.
    for (const row of (this.#rows.get(id) ?? []).sort((a, b) => b - a)) this.#remove(row)
    this.#rows.delete(id)
  }

  /** Returns the `max` nearest, by cosine. A long scan yields to others. */
  async nearest(query: Int8Array, filter: VectorFilter, max: number): Promise<ReadonlyMap<string, number>> {
    const best = new Best(max)
    const since = filter.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(filter.since)
    const fits = new Set(
      this.#kinds.filter(
        ({ corpus, labels }) =>
          corpus === filter.corpus &&
          filter.labels.every((one) => labels.has(one)) &&
          (filter.anyOf === undefined || filter.anyOf.some((one) => labels.has(one))),
      ),
    )
    const scale = 1 / lengthOf(query)
    for (let at = 0; at < this.#blocks.length; at++) {
      if (at > 0 && at % BLOCKS_A_TURN === 0) await yieldToEventLoop()
      if (at % BLOCKS_A_TURN === 0) this.#arena.query(query)
      const first = at * BLOCK
      const count = Math.min(BLOCK, this.#ids.length - first)
      if (count <= 0) break
      const products = this.#arena.products(this.#blocks[at] as number, count)
      for (let i = 0; i < count; i++) {
        const row = first + i
        const score = ((products[i] as number) * scale) / (this.#lengths[row] as number)
        if (score > best.least && fits.has(this.#kindOfRow[row] as Kind) && (this.#times[row] as number) >= since)
          best.add(this.#ids[row] as string, score)
      }
    }
    return best.all
  }

  cosines(query: Int8Array, ids: readonly string[]): ReadonlyMap<string, number> {
    this.#arena.query(query)
    const scale = 1 / lengthOf(query)
    const cosine = (row: number): number => (this.#arena.product(...this.#at(row)) * scale) / (this.#lengths[row] as number)
    return new Map(
      ids.flatMap((id) => {
        const rows = this.#rows.get(id)
        return rows === undefined ? [] : [[id, Math.max(...rows.map(cosine))] as const]
      }),
    )
  }

  clear(): void {
    for (const block of this.#blocks.splice(0)) this.#arena.give(block)
    for (const list of [this.#ids, this.#kindOfRow, this.#times, this.#lengths]) list.length = 0
    this.#rows.clear()
  }

  #remove(row: number): void {
    const last = this.#ids.length - 1
    if (row !== last) {
      this.#arena.move(this.#at(last), this.#at(row))
      for (const list of [this.#ids, this.#kindOfRow, this.#times, this.#lengths] as unknown[][]) list[row] = list[last]
      const moved = this.#rows.get(this.#ids[row] as string) as number[]
      moved[moved.indexOf(last)] = row
    }
    for (const list of [this.#ids, this.#kindOfRow, this.#times, this.#lengths]) list.pop()
    if (last % BLOCK === 0) this.#arena.give(this.#blocks.pop() as number)
  }

  #at(row: number): readonly [number, number] {
    return [this.#blocks[Math.floor(row / BLOCK)] as number, row % BLOCK]
  }

  #kind({ corpus, labels }: VectorEntry): Kind {
    const name = `${corpus} ${labels.join(' ')}`
    const known = this.#known.get(name)
    if (known) return known
    const kind = { corpus, labels: new Set(labels) }
    this.#known.set(name, kind)
    this.#kinds.push(kind)
    return kind
  }
}
