/** Capacity of one cache in nodes: far more than the plugins of a distribution use. */
const MAX_NODES = 5_000

/** Statements of one table, found by the parts in which they differ, one after the other. */
export class SqlCache {
  #root = new SqlNode()

  get root(): SqlNode {
    if (this.#root.size > MAX_NODES) this.#root = new SqlNode()
    return this.#root
  }
}

/**
 * A key built from its parts would be copied and hashed at each look-up, which costs more than the look-up. The parts, names of
 * fields, are the same strings each time and have cached hashes.
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

  /** Number of nodes in the whole tree; only the root knows. */
  get size(): number {
    return this.#size
  }

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
