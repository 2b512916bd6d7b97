import { type Gateway, PayloadTooLarge } from '@gateway/kernel'
import { LARGE_BODY_BYTES, LARGE_BODY_VALUES, type Operation } from '@gateway/sdk'
import { parseJson } from './json-body.ts'
import { TextRepair } from './text-repair.ts'

interface BodyLimit {
  readonly bytes: number
  /** Names and values together. */
  readonly values: number
}

/** Size limits of request bodies: the configured one, and larger ones for the operations that declare them. */
export class BodyLimits {
  readonly #standard: BodyLimit
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

  get largest(): number {
    return this.#largest.bytes
  }

  /** Largest number of bytes for an operation; the default for an unknown one. */
  of(name: unknown): number {
    return this.#of(name).bytes
  }

  /** Reads the body of a call of `name`. Throws PAYLOAD_TOO_LARGE and BAD_REQUEST. */
  read(body: Buffer, name: unknown): unknown {
    const limit = this.#of(name)
    this.#checkBytes(body, limit)
    return parseJson(body, limit.values, (args) => this.#repair.ofCall(name, args))
  }

  /**
   * Reads an MCP message. Its tool is known only after reading, so the largest limit applies first and the tool's own limit
   * afterwards.
   */
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
