/** Debounce window: changes within it are sent together. */
export const DEBOUNCE_MS = 100

/** Collects changed collections by tenant and reports them together shortly after the first. */
export class ChangeBatcher {
  readonly #tell: (changed: ReadonlyMap<string, ReadonlySet<string>>) => void
  #changed = new Map<string, Set<string>>()
  #timer: NodeJS.Timeout | undefined

  constructor(tell: (changed: ReadonlyMap<string, ReadonlySet<string>>) => void) {
    this.#tell = tell
  }

  add(tenantId: string, collection: string): void {
    const known = this.#changed.get(tenantId)
    if (known) known.add(collection)
    else this.#changed.set(tenantId, new Set([collection]))
    this.#timer ??= setTimeout(() => this.#flush(), DEBOUNCE_MS).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #flush(): void {
    this.#timer = undefined
    const changed = this.#changed
    this.#changed = new Map()
    this.#tell(changed)
  }
}
