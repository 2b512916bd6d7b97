import { defineService, Unavailable } from '@gateway/sdk'
import type { ProviderSettings, Settings } from '../config.ts'
import type { Candidate } from '../rules/candidates.ts'
import { type Route, TABLES, type Tables } from '../rules/tables.ts'
import type { Mode, ProviderName } from '../schema.ts'
import { Journal } from './journal.ts'
import { type Closed, type Entered, Lane } from './lane.ts'
import { Queue, type Waiter } from './queue.ts'

export const SETTING = 'plugins.providers.providers'
/** What passes by itself, as a rate limit, is looked at so often by those who wait for it. */
const LOOK_MS = 100

/** Who waits for a place. */
export interface Waiting {
  readonly tenantId: string
  readonly signal: AbortSignal
  /** `false`: take a place or go. */
  readonly patient?: boolean
  now(): number
}
export interface Admission {
  readonly candidate: Candidate
  readonly entered: Entered
}
/** Nobody takes the call: of each candidate, why not. */
export class NotAdmitted extends Error {
  override readonly name = 'NotAdmitted'
  readonly closed: readonly (Closed & { readonly provider: ProviderName })[]
  readonly waited: boolean
  constructor(closed: NotAdmitted['closed'], waited: boolean) {
    super('no provider takes the call')
    this.closed = closed
    this.waited = waited
  }
}

/** One for all tenants: the lanes to the providers, who waits for them, and what happened just now. */
export class Host {
  readonly settings: Settings
  readonly tables: Tables
  readonly lanes: ReadonlyMap<ProviderName, Lane>
  readonly journal = new Journal()
  readonly #queue = new Queue()
  #look: NodeJS.Timeout | undefined

  constructor(settings: Settings) {
    this.settings = settings
    for (const list of ['chain', 'runnerChain'] as const) {
      const unknown = settings[list]?.find((name) => !settings.providers[name])
      if (unknown) throw new Error(`${list} names ${unknown}, which \`providers\` does not have`)
    }
    const { default: fallback = TABLES.default, agents = {}, tools = {}, channels = {} } = settings.routing
    this.tables = {
      default: fallback,
      agents,
      tools: { ...TABLES.tools, ...tools },
      channels: { ...TABLES.channels, ...channels },
    }
    this.lanes = new Map(
      this.chain('interactive').map(({ provider }) => {
        const requestsPerMinute = settings.providers[provider]?.requestsPerMinute ?? settings.requestsPerMinute
        return [provider, new Lane(provider, { ...settings, requestsPerMinute }, () => this.serve())]
      }),
    )
  }

  get configured(): boolean {
    return this.lanes.size > 0
  }

  /** Every provider, in the order of its mode; those the setting leaves out are asked last. */
  chain(mode: Mode): readonly Route[] {
    const { providers, chain, runnerChain } = this.settings
    const named = (mode === 'runner' ? (runnerChain ?? chain) : chain) ?? []
    const all = [...new Set([...named, ...(Object.keys(providers) as ProviderName[])])]
    return all.map((provider) => ({ provider, models: providers[provider]?.models ?? {} }))
  }

  /** Throws UNAVAILABLE for one that is not configured. */
  lane(provider: ProviderName): Lane {
    const lane = this.lanes.get(provider)
    if (lane) return lane
    const setting = `${SETTING}.${provider}`
    throw Unavailable({ setting, message: `The provider ${provider} is not configured: set ${setting} in the config file.` })
  }

  of(provider: ProviderName): ProviderSettings {
    return this.settings.providers[provider] as ProviderSettings
  }

  /** Calls that wait and would take this provider. */
  waitingFor(provider: ProviderName): number {
    return this.#queue.count((waiter) => waiter.providers.includes(provider))
  }

  /**
   * A place at the first candidate that has one. If none has, the call waits for those that may have one soon: in maintenance, at their
   * limits. Nobody waits for a provider that is down.
   */
  async admit(candidates: readonly Candidate[], who: Waiting): Promise<Admission> {
    const tried = this.#enter(candidates, who.now())
    if ('candidate' in tried) return tried
    const patient = candidates.filter(({ provider }) => this.#isWorthWaiting(tried, provider))
    const { maxWaiting, maxWaitMs } = this.settings
    const crowded = this.#queue.size >= maxWaiting || this.#queue.of(who.tenantId) >= Math.ceil(maxWaiting / 2)
    if (patient.length === 0 || crowded || maxWaitMs === 0 || who.patient === false) throw new NotAdmitted(tried, false)
    return this.#wait(patient, who)
  }

  /** Let in who can get in. */
  serve(): void {
    this.#queue.serve(() => [...this.lanes.values()].some((lane) => !lane.maintenance && lane.inFlight < lane.limits.callsAtOnce))
  }

  #enter(candidates: readonly Candidate[], now: number): Admission | NotAdmitted['closed'] {
    const closed: (Closed & { provider: ProviderName })[] = []
    for (const candidate of candidates) {
      const came = this.lane(candidate.provider).enter(now)
      if ('end' in came) return { candidate, entered: came }
      closed.push({ provider: candidate.provider, ...came })
    }
    return closed
  }

  #isWorthWaiting(closed: NotAdmitted['closed'], provider: ProviderName): boolean {
    const why = closed.find((one) => one.provider === provider)
    return why !== undefined && why.why !== 'breaker' && (why.retryAfterMs ?? 0) <= this.settings.maxWaitMs
  }

  #wait(candidates: readonly Candidate[], who: Waiting): Promise<Admission> {
    return new Promise((resolve, reject) => {
      let last: Admission | NotAdmitted['closed'] = []
      const over = (): void => {
        clearTimeout(timer)
        who.signal.removeEventListener('abort', leave)
        this.#queue.remove(waiter)
        if (this.#queue.size > 0) return
        clearInterval(this.#look)
        this.#look = undefined
      }
      const waiter: Waiter = {
        tenantId: who.tenantId,
        providers: candidates.map(({ provider }) => provider),
        admit: () => {
          last = this.#enter(candidates, who.now())
          if (!('candidate' in last)) return false
          over()
          resolve(last)
          return true
        },
      }
      const leave = (): void => {
        over()
        reject(who.signal.reason)
      }
      const timer = setTimeout(() => {
        over()
        reject(new NotAdmitted('candidate' in last ? [] : last, true))
      }, this.settings.maxWaitMs)
      who.signal.addEventListener('abort', leave, { once: true })
      this.#queue.add(waiter)
      this.#look ??= setInterval(() => this.serve(), LOOK_MS).unref()
    })
  }
}

export const host = defineService<Host>('providers.host', 'process')
