/** The vectors of the latest queries: 1.5 KB each. Those that are under way count, so that one query is embedded once. */
const MAX_QUERIES = 500

export class QueryCache {
  readonly #vectors = new Map<string, Promise<Float32Array>>()

  clear(): void {
    this.#vectors.clear()
  }

  get(text: string, make: () => Promise<Float32Array>): Promise<Float32Array> {
    const known = this.#vectors.get(text)
    const vector = known ?? make()
    // The last in the map is the one that was asked for last.
    this.#vectors.delete(text)
    this.#vectors.set(text, vector)
    if (!known) vector.catch(() => this.#vectors.delete(text))
    if (this.#vectors.size > MAX_QUERIES) this.#vectors.delete(this.#vectors.keys().next().value as string)
    return vector
  }
}
