import type { Reservation } from '../api.ts'

/** Twice in the second within which a stream is cut at its cap. */
const LOOK_MS = 400

interface WatchedCall {
  readonly signal: AbortSignal
  stop(): void
}

/** Signal of a running call that ends with the refusal of its budget once the call has reached a cap. */
export function watchSpend(reservation: Reservation, costUsd: () => number, outer: AbortSignal): WatchedCall {
  const over = new AbortController()
  const leave = (): void => over.abort(outer.reason)
  if (outer.aborted) leave()
  else outer.addEventListener('abort', leave, { once: true })
  let looking = false
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    await reservation.check?.(costUsd()).catch((refusal: unknown) => over.abort(refusal))
    looking = false
  }
  const timer = reservation.check && setInterval(() => void look(), LOOK_MS)
  return {
    signal: over.signal,
    stop(): void {
      clearInterval(timer)
      outer.removeEventListener('abort', leave)
    },
  }
}
