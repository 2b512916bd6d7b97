/** Time in which an observation loses half of its weight, so that a model that failed is tried again. */
const HALF_LIFE_MS = 3_600_000
/** Successes that every model begins with: a single failure says little. */
const PRIOR = 5

interface Observed {
  worked: number
  failed: number
  at: number
}
export interface Success {
  /** Weight of the observed calls; recent ones weigh more. */
  readonly calls: number
  /** 0 to 1. */
  readonly rate: number
}

/** Outcomes of calls by provider and model, of all tenants of this process. Its size is bounded by the configured models. */
export class Experience {
  readonly #observed = new Map<string, Observed>()

  note(provider: string, model: string, worked: boolean, now: number): void {
    const seen = this.#at(provider, model, now)
    this.#observed.set(keyOf(provider, model), {
      worked: seen.worked + (worked ? 1 : 0),
      failed: seen.failed + (worked ? 0 : 1),
      at: now,
    })
  }

  of(provider: string, model: string, now: number): Success {
    const { worked, failed } = this.#at(provider, model, now)
    return { calls: worked + failed, rate: (worked + PRIOR) / (worked + failed + PRIOR) }
  }

  #at(provider: string, model: string, now: number): Observed {
    const seen = this.#observed.get(keyOf(provider, model))
    if (!seen) return { worked: 0, failed: 0, at: now }
    const weight = 0.5 ** (Math.max(0, now - seen.at) / HALF_LIFE_MS)
    return { worked: seen.worked * weight, failed: seen.failed * weight, at: now }
  }
}

const keyOf = (provider: string, model: string): string => `${provider} ${model}`
