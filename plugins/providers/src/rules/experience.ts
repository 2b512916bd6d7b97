/** Time in which an observation loses half of its weight, so that a model that failed is tried again. */
const HALF_LIFE_MS = 3_600_000
/** Successes that every model begins with: a single failure says little. */
const PRIOR = 5
/** Observations of a model are written together, at most this often. */
const WRITE_EVERY_MS = 60_000
/** The records of other nodes are read again after this time. */
const READ_EVERY_MS = 60_000

/** Weights of calls at a time in milliseconds. */
export interface Observed {
  readonly worked: number
  readonly failed: number
  readonly at: number
}
export interface Observation extends Observed {
  readonly provider: string
  readonly model: string
}
export interface Success {
  /** Weight of the observed calls; recent ones weigh more. */
  readonly calls: number
  /** 0 to 1. */
  readonly rate: number
}
const NOTHING: Observed = { worked: 0, failed: 0, at: 0 }

/** The sum of two observations at a time; `sign` -1 takes the second away. */
export function added(one: Observed, other: Observed, now: number, sign: 1 | -1 = 1): Observed {
  const [a, b] = [weighed(one, now), weighed(other, now)]
  const sum = (x: number, y: number): number => Math.max(0, x + sign * y)
  return { worked: sum(a.worked, b.worked), failed: sum(a.failed, b.failed), at: now }
}

function weighed({ worked, failed, at }: Observed, now: number): Observed {
  const weight = 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS)
  return { worked: worked * weight, failed: failed * weight, at: now }
}

/**
 * Outcomes of calls by provider and model, of all tenants: those in the store, which all nodes share, and those of this process that are not
 * written yet. Its size is bounded by the configured models.
 */
export class Experience {
  #stored = new Map<string, Observed>()
  readonly #unwritten = new Map<string, Observed>()
  /** Observations that are being written: a slow store must not be given them again. */
  readonly #sent = new Map<string, Observed>()
  readonly #writtenAt = new Map<string, number>()
  #readAt = Number.NEGATIVE_INFINITY

  /** Returns the observations to be written, if it is time. */
  note(provider: string, model: string, worked: boolean, now: number): Observation | undefined {
    const key = keyOf(provider, model)
    const one = { worked: worked ? 1 : 0, failed: worked ? 0 : 1, at: now }
    const unwritten = added(this.#unwritten.get(key) ?? NOTHING, one, now)
    this.#unwritten.set(key, unwritten)
    const last = this.#writtenAt.get(key)
    // A clock that was set back must not stop the writing.
    if (last !== undefined && now >= last && now - last < WRITE_EVERY_MS) return undefined
    this.#writtenAt.set(key, now)
    this.#unwritten.delete(key)
    this.#sent.set(key, added(this.#sent.get(key) ?? NOTHING, unwritten, now))
    return { provider, model, ...unwritten }
  }

  /** Takes over the sum of all nodes, of which `written` is a part. */
  wrote(written: Observation, stored: Observed): void {
    const key = keyOf(written.provider, written.model)
    this.#stored.set(key, stored)
    this.#sent.set(key, added(this.#sent.get(key) ?? NOTHING, written, stored.at, -1))
  }

  /** Keeps an observation that was not written for the next time. */
  keep(observation: Observation, now: number): void {
    const key = keyOf(observation.provider, observation.model)
    this.#sent.set(key, added(this.#sent.get(key) ?? NOTHING, observation, now, -1))
    this.#unwritten.set(key, added(this.#unwritten.get(key) ?? NOTHING, observation, now))
  }

  /** True once in a while: the caller then reads what all nodes wrote. */
  shouldRead(now: number): boolean {
    if (now >= this.#readAt && now - this.#readAt < READ_EVERY_MS) return false
    this.#readAt = now
    return true
  }

  read(all: readonly Observation[]): void {
    this.#stored = new Map(all.map(({ provider, model, ...observed }) => [keyOf(provider, model), observed]))
  }

  of(provider: string, model: string, now: number): Success {
    const key = keyOf(provider, model)
    const here = added(this.#sent.get(key) ?? NOTHING, this.#unwritten.get(key) ?? NOTHING, now)
    const { worked, failed } = added(this.#stored.get(key) ?? NOTHING, here, now)
    return { calls: worked + failed, rate: (worked + PRIOR) / (worked + failed + PRIOR) }
  }
}

export const keyOf = (provider: string, model: string): string => `${provider} ${model}`
