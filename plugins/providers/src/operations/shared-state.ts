import { type CallContext, type Collection, defineService, type GatewayWide, type Infer, type Update } from '@gateway/sdk'
import type { states } from '../collections.ts'
import type { providerChanged } from './events.ts'
import type { ProviderPool } from './provider-pool.ts'

type State = Infer<(typeof states)['schema']>
export type Change = Infer<(typeof providerChanged)['payload']>

/** Interval in which the state of providers is read from the store; changes of other nodes take effect within it. */
const FRESH_MS = 1_000

/** This process's copy of the state that all nodes share. */
export class SharedState {
  readonly #pool: ProviderPool
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined
  /** Changes of this process that are not in the store yet; data read meanwhile is older than this copy. */
  #unwritten = 0
  #changes = 0
  readonly #resets = new Map<string, string>()

  constructor(pool: ProviderPool) {
    this.#pool = pool
  }

  /** Reads the changes of other nodes. While the store does not answer, the present copy stays valid. */
  async refresh(wide: GatewayWide<State>, ctx: Pick<CallContext, 'log' | 'now'>): Promise<void> {
    if (this.#pool.gates.size === 0 || performance.now() - this.#readAt < FRESH_MS) return
    this.#reading ??= this.#read(wide, ctx).finally(() => (this.#reading = undefined))
    await this.#reading
  }

  /** Marks a change of this process as pending; the caller then writes it with `write`. */
  announce(): void {
    this.#changes++
    this.#unwritten++
  }

  async write(collection: Collection<State>, change: Change): Promise<void> {
    const update = updateOf(change)
    if (update.set?.resetAt !== undefined) this.#resets.set(change.provider, change.at)
    try {
      await collection.upsert({ provider: change.provider, ...update.set } as State, update)
    } finally {
      this.#unwritten--
    }
  }

  async #read(wide: GatewayWide<State>, ctx: Pick<CallContext, 'log' | 'now'>): Promise<void> {
    const changes = this.#changes
    try {
      const { items } = await wide.find({ limit: 10 })
      this.#readAt = performance.now()
      if (this.#unwritten === 0 && changes === this.#changes) this.#apply(items, ctx.now())
    } catch (error) {
      ctx.log.warn('the state of providers on other nodes could not be read', { err: error })
    }
  }

  #apply(items: readonly State[], now: Date): void {
    for (const gate of this.#pool.gates.values()) {
      const state: Partial<State> = items.find((one) => one.provider === gate.provider) ?? {}
      const { maintenanceSince: since, reason, operator, operatorPrincipal, openUntil, resetAt } = state
      gate.maintenance = since === undefined ? undefined : { since, reason, operator, operatorPrincipal }
      const known = this.#resets.get(gate.provider)
      if (resetAt !== undefined && resetAt !== known) {
        // The first one that is read is of before this process: whose gates are new.
        if (known !== undefined || this.#resets.has(gate.provider)) gate.reset(now.getTime())
      }
      this.#resets.set(gate.provider, resetAt ?? '')
      gate.openElsewhereUntil = openUntil === undefined ? 0 : Date.parse(openUntil)
    }
    this.#pool.serve()
  }
}

const TERMS = ['reason', 'operator', 'operatorPrincipal'] as const

function updateOf({ change, at, openUntil, maintenance }: Change): Update<State> {
  switch (change) {
    case 'opened':
      return { set: { openUntil } }
    case 'closed':
      return { unset: ['openUntil'] }
    case 'reset':
      return { set: { resetAt: at }, unset: ['openUntil'] }
    case 'exited':
      return { set: { resetAt: at }, unset: ['maintenanceSince', ...TERMS, 'openUntil'] }
    case 'entered': {
      const { since: maintenanceSince, ...given } = maintenance ?? { since: at }
      const terms: Partial<Omit<State, 'provider'>> = given
      return { set: { maintenanceSince, ...terms }, unset: TERMS.filter((field) => terms[field] === undefined) }
    }
  }
}

export const sharedState = defineService<SharedState>('providers.shared-state', 'process')
