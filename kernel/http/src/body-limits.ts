import { type Gateway, PayloadTooLarge } from '@gateway/kernel'
import { LARGE_BODY_BYTES, LARGE_BODY_VALUES, type Operation } from '@gateway/sdk'
import { parseJson } from './json-body.ts'
import { TextRepair } from './text-repair.ts'

interface BodyLimit {
  readonly bytes: number
  /** Names and values together. */
  readonly values: number
}

/** How large a request body may be: as set, and larger for the operations that declare it. */
export class BodyLimits {
  readonly #standard: BodyLimit
  /** Of all operations. */
  readonly #largest: BodyLimit
  readonly #larger = new Map<string, BodyLimit>()
  readonly #repair: TextRepair

  constructor({ settings, inventory }: Pick<Gateway, 'settings' | 'inventory'>) {
    const { tools, routes } = inventory
    this.#repair = new TextRepair(inventory)
    const standard = { bytes: settings.bodyLimitBytes, values: settings.bodyLimitValues }
    this.#standard = standard
    for (const { item } of [...tools.values(), ...routes.values()]) {
      const { name, bodyLimitBytes = 0, bodyLimitValues = 0 } = item as Operation
      const bytes = Math.max(standard.bytes, Math.min(bodyLimitBytes, LARGE_BODY_BYTES))
      const values = Math.max(standard.values, Math.min(bodyLimitValues, LARGE_BODY_VALUES))
      if (bytes > standard.bytes || values > standard.values) this.#larger.set(name, { bytes, values })
    }
    const all = [standard, ...this.#larger.values()]
    this.#largest = { bytes: Math.max(...all.map(({ bytes }) => bytes)), values: Math.max(...all.map(({ values }) => values)) }
  }

  /** The most bytes of any body. */
  get largest(): number {
    return this.#largest.bytes
  }

  /** The most bytes that an operation takes; of one it does not know, the standard. */
  of(name: unknown): number {
    return this.#of(name).bytes
  }

  /** The body of a call of `name`, as the caller wrote it. Throws PAYLOAD_TOO_LARGE and BAD_REQUEST. */
  read(body: Buffer, name: unknown): unknown {
    const limit = this.#of(name)
    this.#checkBytes(body, limit)
    return parseJson(body, limit.values, (args) => this.#repair.ofCall(name, args))
  }

  /** Which tool a message calls is told once it is read: as much is read as any may have, and held against the tool’s own limit. */
  readMessage(body: Buffer): unknown {
    const repairs = (message: unknown): boolean => this.#repair.ofMessage(message)
    const value = parseJson(body, this.#largest.values, repairs)
    if (body.length <= Math.min(this.#standard.bytes, this.#standard.values)) return value
    const { method, params } = (value ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
    const limit = this.#of(method === 'tools/call' ? params?.name : undefined)
    this.#checkBytes(body, limit)
    return limit.values < this.#largest.values ? parseJson(body, limit.values, repairs) : value
  }

  #of(name: unknown): BodyLimit {
    return (typeof name === 'string' && this.#larger.get(name)) || this.#standard
  }

  #checkBytes({ length }: Buffer, { bytes }: BodyLimit): void {
    if (length > bytes) throw PayloadTooLarge({ limitBytes: bytes })
  }
}
