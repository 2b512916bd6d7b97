import { BoundedMap } from '@gateway/sdk/bounds'

/** Capacity of the cache of query vectors: 1.5 KB each. Queries in progress count, so that one query is embedded once. */
const MAX_QUERIES = 500

export class QueryCache {
  readonly #vectors = new BoundedMap<string, Promise<Float32Array>>(MAX_QUERIES)

  clear(): void {
    this.#vectors.clear()
  }

  get(text: string, make: () => Promise<Float32Array>): Promise<Float32Array> {
    const known = this.#vectors.refresh(text)
    if (known) return known
    const vector = make()
    this.#vectors.set(text, vector)
    vector.catch(() => this.#vectors.delete(text))
    return vector
  }
}
