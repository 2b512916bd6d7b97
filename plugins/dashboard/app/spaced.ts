/**
 * Minimum time between an answer and the next request for the same: a request that changes its own source would loop. With the
 * time in which the gateway collects changes, and the request itself, a change is shown within a second.
 */
export const REST_MS = 600

/** Requests that follow changes: the first at once, further ones together after a rest. None while the page is hidden. */
export interface Spaced {
  /** Asks after a change, as soon as the rest is over. */
  soon(): void
  /** Asks at once, unless it is asking. */
  now(): void
  /** Asks for what changed while the page was hidden. */
  resume(): void
  stop(): void
}

/** `ask` learns if something has changed. It must not reject. */
export function spaced(ask: (changed: boolean) => Promise<void>, isHidden: () => boolean): Spaced {
  let isAsking = false
  let isStale = false
  let isStopped = false
  let answeredAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(changed: boolean): Promise<void> {
    clearTimeout(timer)
    if (changed) isStale = false
    isAsking = true
    await ask(changed)
    isAsking = false
    answeredAt = Date.now()
    if (isStale && !isStopped) soon()
  }
  function soon(): void {
    isStale = true
    if (isAsking || isHidden()) return
    clearTimeout(timer)
    const rest = REST_MS - (Date.now() - answeredAt)
    if (rest > 0) timer = setTimeout(() => void run(true), rest)
    else void run(true)
  }
  return {
    soon,
    now: () => {
      if (!isAsking) void run(false)
    },
    resume: () => {
      if (isStale) soon()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
