/** A running call: the meters that its cost is held against, and the cost. */
interface RunningCall {
  readonly meterIds: readonly string[]
  readonly nanos: number
}

/** Costs of calls that are running in this process, by meter and in all. */
export class CostsByMeter {
  readonly #calls = new Map<string, RunningCall>()
  readonly #byMeter = new Map<string, number>()

  /** Replaces the cost of a call. Its meters may change, because a day or a month may begin. */
  update(callId: string, meterIds: readonly string[], nanos: number): void {
    this.end(callId)
    this.#calls.set(callId, { meterIds, nanos })
    for (const meterId of meterIds) this.#add(meterId, nanos)
  }

  /** Removes a call. One that is gone already changes nothing. */
  end(callId: string): void {
    const call = this.#calls.get(callId)
    if (!call) return
    this.#calls.delete(callId)
    for (const meterId of call.meterIds) this.#add(meterId, -call.nanos)
  }

  /** Cost of all calls that are held against a meter. */
  of(meterId: string): number {
    return this.#byMeter.get(meterId) ?? 0
  }

  #add(meterId: string, nanos: number): void {
    const sum = this.of(meterId) + nanos
    if (sum === 0) this.#byMeter.delete(meterId)
    else this.#byMeter.set(meterId, sum)
  }
}

/** The calls of this process. */
export interface RunningCosts {
  /** Costs so far. */
  readonly costs: CostsByMeter
  /** Costs that are on record in the store, which are subtracted from a meter to know those of other nodes. */
  readonly recorded: CostsByMeter
}
