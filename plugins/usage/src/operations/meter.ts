import { type CallContext, type CallObserver, type CallRecord, HOUR_MS, type Resolved, throughout } from '@gateway/sdk'
import { counts } from '../collections.ts'
import { config } from '../config.ts'
import { meant } from '../rules/meant.ts'
import { repoIn, typeOf } from '../rules/type.ts'
import { tallies } from '../services/tallies.ts'
import { Flush } from './flush.ts'

export const meterUses = { counts: throughout(counts), config, tallies }
type Refs = Resolved<typeof meterUses>

/** Counts calls in memory, and stores the counts in the background. */
export class Meter implements CallObserver {
  readonly #config: Refs['config']
  readonly #tallies: Refs['tallies']
  readonly #now: () => Date
  readonly #flush: Flush
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor({ counts, config, tallies }: Refs, ctx: Pick<CallContext, 'now' | 'log'>) {
    this.#config = config
    this.#tallies = tallies
    this.#now = () => ctx.now()
    this.#flush = new Flush(counts, config, tallies.known, ctx.log)
  }

  observe(call: CallRecord): void {
    if (!this.#config.metering) return
    const type = typeOf(call)
    if (type === undefined) return
    const tally = this.#tallies.of(call.tenantId, Math.floor(this.#now().getTime() / HOUR_MS))
    if (!tally) return
    this.#timer ??= setTimeout(() => void this.flush(), this.#config.flushSeconds * 1_000).unref()
    tally.add('type', type)
    // A key that was issued for a piece of work counts as its issuer, who also pays for it.
    tally.add('member', (call.principal.issuedBy ?? call.principal).id)
    const { tool, args } = meant(call)
    if (call.kind !== 'run') tally.add('tool', tool)
    const repo = repoIn(args)
    if (repo !== undefined) tally.add('repo', repo)
  }

  /** Stores all counts so far. Counts that cannot be stored are lost: nothing is counted twice. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running = this.#running.then(() => this.#store())
    return this.#running
  }

  async #store(): Promise<void> {
    for (const [tenantId, tally] of this.#tallies.take()) await this.#flush.store(tenantId, tally)
  }

  async close(): Promise<void> {
    await this.flush()
  }
}
