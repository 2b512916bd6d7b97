import type { JobParts } from '@gateway/kernel'
import { isToolError, Unavailable } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'

const EVERY_MS = 60_000
const MAX_SUBJECTS = 1_000

interface Fault {
  readonly level: 'warn' | 'error'
  readonly fields: { readonly err: unknown }
  readonly message: string
  /** Faults of one subject count together. */
  readonly subject: string
}

/** A store that does not answer meets every job at every poll: its faults are logged at most once a minute, with their number. */
export class SparingLog {
  readonly #log: JobParts['log']
  readonly #now: () => number
  readonly #written = new BoundedMap<string, { readonly at: number; omitted: number }>(MAX_SUBJECTS)

  /** `now` is a clock that is not set back. */
  constructor(log: JobParts['log'], now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  /** Logs every fault, except that a service that is not available is logged sparingly. */
  fault(fault: Fault): void {
    if (isToolError(fault.fields.err) && fault.fields.err.code === Unavailable.code) this.sparingly(fault)
    else this.#log[fault.level](fault.fields, fault.message)
  }

  sparingly({ level, fields, message, subject }: Fault): void {
    const last = this.#written.get(subject)
    const at = this.#now()
    if (last !== undefined && at - last.at < EVERY_MS) return void last.omitted++
    this.#written.set(subject, { at, omitted: 0 })
    this.#log[level]({ ...fields, ...(last && last.omitted > 0 && { omitted: last.omitted }) }, message)
  }
}
