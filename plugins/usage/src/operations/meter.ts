import { type CallContext, type CallObserver, type CallRecord, type Resolved, throughout } from '@gateway/sdk'
import { counts } from '../collections.ts'
import { config } from '../config.ts'
import { Tally } from '../rules/tally.ts'
import { repoIn, typeOf } from '../rules/type.ts'
import { Flush } from './flush.ts'

export const meterUses = { counts: throughout(counts), config }
type Refs = Resolved<typeof meterUses>

const HOUR_MS = 3_600_000
/** Tenants with counts in memory; calls of further ones are counted from the next flush on. */
const MAX_TENANTS = 10_000
/** Values of a dimension in memory; the store holds fewer apart. */
const MAX_VALUES = 1_000

/** Counts calls in memory, and stores the counts in the background. */
export class Meter implements CallObserver {
  readonly #config: Refs['config']
  readonly #now: () => Date
  readonly #flush: Flush
  #tallies = new Map<string, Tally>()
  /** Of hours that are over. */
  #finished: (readonly [string, Tally])[] = []
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor({ counts, config }: Refs, ctx: Pick<CallContext, 'now' | 'log'>) {
    this.#config = config
    this.#now = () => ctx.now()
    this.#flush = new Flush(counts, config, ctx.log)
  }

  observe(call: CallRecord): void {
    if (!this.#config.metering) return
    const type = typeOf(call)
    if (type === undefined) return
    const tally = this.#tallyOf(call.tenantId)
    if (!tally) return
    tally.add('type', type)
    tally.add('member', call.principal.id)
    if (call.kind !== 'run') tally.add('tool', call.tool)
    const repo = repoIn(call.args)
    if (repo !== undefined) tally.add('repo', repo)
  }

  #tallyOf(tenantId: string): Tally | undefined {
    const hour = Math.floor(this.#now().getTime() / HOUR_MS)
    const known = this.#tallies.get(tenantId)
    if (known?.hour === hour) return known
    if (known) this.#finished.push([tenantId, known])
    else if (this.#tallies.size >= MAX_TENANTS) return undefined
    const tally = new Tally(hour, MAX_VALUES)
    this.#tallies.set(tenantId, tally)
    this.#timer ??= setTimeout(() => void this.flush(), this.#config.flushSeconds * 1_000).unref()
    return tally
  }

  /** Stores what has been counted up to now. What cannot be stored is lost: nothing is counted twice. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running = this.#running.then(() => this.#store())
    return this.#running
  }

  async #store(): Promise<void> {
    const taken = [...this.#finished, ...this.#tallies]
    this.#finished = []
    this.#tallies = new Map()
    for (const [tenantId, tally] of taken) await this.#flush.store(tenantId, tally)
  }

  async close(): Promise<void> {
    await this.flush()
  }
}
