import { type CallContext, type Collection, defineService, type GatewayWide, type Infer, type Update } from '@gateway/sdk'
import type { states } from '../collections.ts'
import type { providerChanged } from './events.ts'
import type { Host } from './host.ts'

type State = Infer<(typeof states)['schema']>
export type Change = Infer<(typeof providerChanged)['payload']>

/** The store is asked so often how the providers stand: what another node says holds here within that time. */
const FRESH_MS = 1_000

/** This process's copy of the state that all nodes share. */
export class SharedState {
  readonly #host: Host
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined
  /** Changes of this process that are not in the store yet: what is read meanwhile is older than what is known. */
  #unwritten = 0
  #changes = 0
  readonly #resets = new Map<string, string>()

  constructor(host: Host) {
    this.#host = host
  }

  /** Hear what other nodes have found. While the store does not answer, what is known holds. */
  async refresh(wide: GatewayWide<State>, ctx: Pick<CallContext, 'log' | 'now'>): Promise<void> {
    if (!this.#host.configured || performance.now() - this.#readAt < FRESH_MS) return
    this.#reading ??= this.#read(wide, ctx).finally(() => (this.#reading = undefined))
    await this.#reading
  }

  /** Hold it here, at once. Whoever announces a change writes it, and says when it is `written`. */
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
      ctx.log.warn('how providers stand elsewhere could not be read', { err: error })
    }
  }

  #apply(items: readonly State[], now: Date): void {
    for (const lane of this.#host.lanes.values()) {
      const { maintenanceSince: since, reason, operator, openUntil, resetAt } = items.find((one) => one.provider === lane.provider) ?? {}
      lane.maintenance = since === undefined ? undefined : { since, reason, operator }
      const known = this.#resets.get(lane.provider)
      if (resetAt !== undefined && resetAt !== known) {
        // The first one that is read is of before this process: its lanes are fresh.
        if (known !== undefined || this.#resets.has(lane.provider)) lane.reset(now.getTime())
      }
      this.#resets.set(lane.provider, resetAt ?? '')
      lane.openElsewhereUntil = openUntil === undefined ? 0 : Date.parse(openUntil)
    }
    this.#host.serve()
  }
}

function updateOf({ change, at, openUntil, maintenance }: Change): Update<State> {
  switch (change) {
    case 'opened':
      return { set: { openUntil } }
    case 'closed':
      return { unset: ['openUntil'] }
    case 'reset':
      return { set: { resetAt: at }, unset: ['openUntil'] }
    case 'exited':
      return { set: { resetAt: at }, unset: ['maintenanceSince', 'reason', 'operator', 'openUntil'] }
    case 'entered': {
      const { since: maintenanceSince, reason, operator } = maintenance ?? { since: at }
      const given = { maintenanceSince, reason, operator }
      return { set: given, unset: (['reason', 'operator'] as const).filter((field) => given[field] === undefined) }
    }
  }
}

export const sharedState = defineService<SharedState>('providers.shared-state', 'process')
