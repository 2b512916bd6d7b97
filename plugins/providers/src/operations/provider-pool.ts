import { defineService, Unavailable } from '@gateway/sdk'
import { bundledPrices, type ProviderSettings, type Settings } from '../config.ts'
import type { Candidate } from '../rules/candidates.ts'
import { type Closed, WHY_CLOSED } from '../rules/closed.ts'
import { Experience } from '../rules/experience.ts'
import type { PriceTable, SourcedPrice } from '../rules/price-table.ts'
import type { ServedModel } from '../rules/relay.ts'
import { type Route, TABLES, type Tables } from '../rules/tables.ts'
import { type Mode, type ProviderName, TIERS } from '../schema.ts'
import { Journal } from './journal.ts'
import { ProviderGate, type ProviderPermit } from './provider-gate.ts'
import { Queue, type Waiter } from './queue.ts'
import { readPrices } from './read-prices.ts'

export const SETTING = 'plugins.providers.providers'
/** Polling interval for obstacles that pass without an event, such as a rate limit. */
const LOOK_MS = 100

export interface WaitingCaller {
  readonly tenantId: string
  readonly signal: AbortSignal
  /** `false`: take a permit or leave. */
  readonly mayWait?: boolean
  now(): number
}
/** A provider that was skipped, and the reason as the end of a sentence. */
export interface SkippedProvider {
  readonly provider: ProviderName
  readonly says: string
}
export interface Admission {
  readonly candidate: Candidate
  readonly entered: ProviderPermit
  readonly passed: readonly SkippedProvider[]
}
type ClosedTo = Closed & { readonly provider: ProviderName }

/** No candidate takes the call: the reason of each. */
export class NoProviderError extends Error {
  override readonly name = 'NoProviderError'
  readonly passed: readonly SkippedProvider[]
  /** Earliest time for a retry, as far as it is known. */
  readonly retryAfterMs: number | undefined
  constructor(closed: readonly ClosedTo[]) {
    super('no provider takes the call')
    this.passed = closed.map(skippedProvider)
    const waits = closed.flatMap(({ retryAfterMs }) => (retryAfterMs === undefined ? [] : [retryAfterMs]))
    this.retryAfterMs = waits.length === 0 ? undefined : Math.min(...waits)
  }
}

const skippedProvider = ({ provider, why }: ClosedTo): SkippedProvider => ({ provider, says: WHY_CLOSED[why] })

/** Shared by all tenants: the gates of the providers, the waiting calls, and recent events. */
export class ProviderPool {
  readonly settings: Settings
  readonly tables: Tables
  readonly gates: ReadonlyMap<ProviderName, ProviderGate>
  readonly journal = new Journal()
  readonly experience = new Experience()
  readonly #queue = new Queue()
  readonly #table: PriceTable
  #looking: NodeJS.Timeout | undefined

  constructor(settings: Settings) {
    this.settings = settings
    this.#table = readPrices(settings.priceFile ?? bundledPrices)
    for (const list of ['chain', 'runnerChain'] as const) {
      const unknown = settings[list]?.find((name) => !settings.providers[name])
      if (unknown) throw new Error(`${list} contains ${unknown}, which is not in \`providers\``)
    }
    const { default: fallback = TABLES.default, agents = {}, tools = {}, channels = {} } = settings.routing
    this.tables = {
      default: fallback,
      agents,
      tools: { ...TABLES.tools, ...tools },
      channels: { ...TABLES.channels, ...channels },
    }
    this.gates = new Map(
      this.chain('interactive').map(({ provider }) => {
        const requestsPerMinute = settings.providers[provider]?.requestsPerMinute ?? settings.requestsPerMinute
        return [provider, new ProviderGate(provider, { ...settings, requestsPerMinute }, () => this.serve())]
      }),
    )
  }

  /** True if a provider has a model; one without any can serve no call. */
  get configured(): boolean {
    return this.served().length > 0
  }

  /** Every provider, in the order of its mode; those that the setting omits come last. */
  chain(mode: Mode): readonly Route[] {
    const { providers, chain, runnerChain } = this.settings
    const named = (mode === 'runner' ? (runnerChain ?? chain) : chain) ?? []
    const all = [...new Set([...named, ...(Object.keys(providers) as ProviderName[])])]
    return all.map((provider) => ({
      provider,
      models: providers[provider]?.models ?? {},
      others: Object.keys(providers[provider]?.prices ?? {}),
    }))
  }

  /** Throws UNAVAILABLE for a provider that is not configured. */
  gate(provider: ProviderName): ProviderGate {
    const gate = this.gates.get(provider)
    if (gate) return gate
    const setting = `${SETTING}.${provider}`
    throw Unavailable({ setting, message: `The provider ${provider} is not configured: set ${setting} in the config file.` })
  }

  of(provider: ProviderName): ProviderSettings {
    return this.settings.providers[provider] as ProviderSettings
  }

  /** The price of a model at a provider: that of its settings, else that of the table. */
  priceAt(provider: ProviderName, model: string): SourcedPrice | undefined {
    return this.#ownPrice(provider, model) ?? this.#table.of(model)
  }

  /** The price of a model at a provider, or at the first of the chain that has one; else that of the table. */
  priceOf(model: string, provider?: string): SourcedPrice | undefined {
    const named = this.chain('interactive').filter((route) => route.provider === provider)
    for (const one of named.length > 0 ? named : this.chain('interactive')) {
      const price = this.#ownPrice(one.provider, model)
      if (price) return price
    }
    return this.#table.of(model)
  }

  #ownPrice(provider: ProviderName, model: string): SourcedPrice | undefined {
    const prices = this.of(provider).prices ?? {}
    return Object.hasOwn(prices, model) ? { ...(prices[model] as SourcedPrice), source: 'settings' } : undefined
  }

  served(): readonly ServedModel[] {
    return this.chain('interactive').flatMap(({ provider, models, others = [] }) => {
      const names = new Set([...Object.values(models), ...others])
      return [...names].map((model) => ({ model, provider, tiers: TIERS.filter((tier) => models[tier] === model) }))
    })
  }

  waitingFor(provider: ProviderName): number {
    return this.#queue.count((waiter) => waiter.providers.includes(provider))
  }

  /**
   * Takes a permit of the first candidate that has one. If none has, the call waits while one may have a permit soon: those in
   * maintenance, and those at their limits. No call waits for a provider that is down, or keeps waiting when it goes down.
   */
  async admit(candidates: readonly Candidate[], who: WaitingCaller): Promise<Admission> {
    who.signal.throwIfAborted()
    const tried = this.#enter(candidates, who.now())
    if ('candidate' in tried) return tried
    const { maxWaiting } = this.settings
    const crowded = this.#queue.size >= maxWaiting || this.#queue.of(who.tenantId) >= Math.ceil(maxWaiting / 2)
    if (crowded || who.mayWait === false || !this.#isWorthWaiting(tried)) throw new NoProviderError(tried)
    return this.#wait(candidates, tried, who)
  }

  /** The candidate that would take a call now; the first if none would. Changes nothing. */
  look(
    candidates: readonly Candidate[],
    now: number,
  ): { readonly candidate: Candidate | undefined; readonly passed: readonly SkippedProvider[] } {
    const passed: SkippedProvider[] = []
    for (const candidate of candidates) {
      const closed = this.gate(candidate.provider).closed(now)
      if (!closed) return { candidate, passed }
      passed.push(skippedProvider({ provider: candidate.provider, ...closed }))
    }
    return { candidate: candidates[0], passed }
  }

  /** True if a candidate takes a call now, or within the time that a call may wait for its limits. Changes nothing. */
  takes(candidates: readonly Candidate[], now: number): boolean {
    return candidates.some(({ provider }) => {
      const closed = this.gate(provider).closed(now)
      return closed === undefined || (closed.why !== 'maintenance' && this.#isWorthWaiting([{ provider, ...closed }]))
    })
  }

  serve(): void {
    this.#queue.serve(() => [...this.gates.values()].some((gate) => !gate.maintenance && gate.inFlight < gate.limits.callsAtOnce))
  }

  #enter(candidates: readonly Candidate[], now: number): Admission | readonly ClosedTo[] {
    const closed: ClosedTo[] = []
    for (const candidate of candidates) {
      const entered = this.gate(candidate.provider).enter(now)
      if ('end' in entered) return { candidate, entered, passed: closed.map(skippedProvider) }
      closed.push({ provider: candidate.provider, ...entered })
    }
    return closed
  }

  #isWorthWaiting(closed: readonly ClosedTo[]): boolean {
    const { maxWaitMs } = this.settings
    return maxWaitMs > 0 && closed.some(({ why, retryAfterMs = 0 }) => why !== 'breaker' && retryAfterMs <= maxWaitMs)
  }

  #wait(candidates: readonly Candidate[], closed: readonly ClosedTo[], who: WaitingCaller): Promise<Admission> {
    return new Promise((resolve, reject) => {
      let last = closed
      const over = (): void => {
        clearTimeout(timer)
        who.signal.removeEventListener('abort', leave)
        this.#queue.remove(waiter)
        if (this.#queue.size > 0) return
        clearInterval(this.#looking)
        this.#looking = undefined
      }
      const giveUp = (): void => {
        over()
        reject(new NoProviderError(last))
      }
      const waiter: Waiter = {
        tenantId: who.tenantId,
        providers: candidates.map(({ provider }) => provider),
        admit: () => {
          const entered = this.#enter(candidates, who.now())
          if ('candidate' in entered) {
            over()
            resolve(entered)
            return true
          }
          last = entered
          if (!this.#isWorthWaiting(last)) giveUp()
          return false
        },
      }
      const leave = (): void => {
        over()
        reject(who.signal.reason)
      }
      const timer = setTimeout(giveUp, this.settings.maxWaitMs)
      who.signal.addEventListener('abort', leave, { once: true })
      this.#queue.add(waiter)
      this.#looking ??= setInterval(() => this.serve(), LOOK_MS).unref()
    })
  }
}

export const pool = defineService<ProviderPool>('providers.pool', 'process')
