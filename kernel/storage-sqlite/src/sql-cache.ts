/** Nodes of one cache: far more than a distribution’s plugins have use for. */
const MAX_NODES = 5_000

/** Statements of one table, found by the parts that make them differ, one after the other. */
export class SqlCache {
  #root = new SqlNode()

  /** Where to begin. */
  get root(): SqlNode {
    if (this.#root.size > MAX_NODES) this.#root = new SqlNode()
    return this.#root
  }
}

/**
 * A key put together of its parts would be copied and hashed at each look-up, which costs more than the look-up. The
 * parts, names of fields, are the same strings each time and know their hash.
 */
export class SqlNode {
  sql: string | undefined
  readonly #top: SqlNode
  readonly #parts: readonly string[]
  readonly #next = new Map<string, SqlNode>()
  #size = 1

  constructor(top?: SqlNode, parts: readonly string[] = []) {
    this.#top = top ?? this
    this.#parts = parts
  }

  /** Nodes of the whole tree; the first one knows. */
  get size(): number {
    return this.#size
  }

  /** The way to here. */
  get parts(): readonly string[] {
    return this.#parts
  }

  to(part: string): SqlNode {
    const known = this.#next.get(part)
    if (known) return known
    const made = new SqlNode(this.#top, [...this.#parts, part])
    this.#next.set(part, made)
    this.#top.#size++
    return made
  }
}
