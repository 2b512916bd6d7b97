import { hash } from 'node:crypto'
import type { Clock } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'

export interface Recognised {
  readonly principal: Principal
  /** Epoch milliseconds of this node's clock. */
  readonly validUntil: number
}

const LIMIT = 10_000

/**
 * Caches credentials that were found valid until they expire, because checking one again costs more than the rest of a cheap
 * call. Entries are keyed by digest, so that a memory dump holds no secret. The oldest entry is evicted first.
 */
export class Remembered {
  readonly #clock: Clock
  readonly #known: BoundedMap<string, Recognised>

  constructor(clock: Clock, limit = LIMIT) {
    this.#clock = clock
    this.#known = new BoundedMap(limit)
  }

  /**
   * Returns the principal of a credential: synchronously if it is cached, otherwise through `recognise`, which receives the
   * digest to cache under.
   */
  principalOf(
    secret: string,
    recognise: (digest: string) => Promise<Principal | undefined>,
  ): Principal | undefined | Promise<Principal | undefined> {
    const digest = hash('sha256', secret, 'base64url')
    const found = this.#known.get(digest)
    if (!found) return recognise(digest)
    if (found.validUntil > this.#clock.now()) return found.principal
    this.#known.delete(digest)
    return undefined
  }

  remember(digest: string, recognised: Recognised): void {
    this.#known.set(digest, recognised)
  }

  forgetAll(): void {
    this.#known.clear()
  }

  forgetTenant(tenantId: string): void {
    for (const [digest, { principal }] of this.#known) if (principal.tenantId === tenantId) this.#known.delete(digest)
  }
}
