const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const
export type StopSignal = keyof typeof SIGNALS

/**
 * A signal to a process group arrives twice under `npm start`: from the group, and forwarded by npm. Within this time they count
 * as one stop.
 */
const SAME_STOP_MS = 1_000

/**
 * Makes SIGINT and SIGTERM ask for a stop; a further one, of either kind and a second later or more, ends the process at once.
 */
export function stopSignals(): { readonly first: Promise<StopSignal> } {
  const first = new Promise<StopSignal>((resolve) => {
    let askedAt: number | undefined
    for (const signal of Object.keys(SIGNALS) as StopSignal[]) {
      process.on(signal, () => {
        if (askedAt !== undefined && performance.now() - askedAt >= SAME_STOP_MS) process.exit(128 + SIGNALS[signal])
        askedAt ??= performance.now()
        resolve(signal)
      })
    }
  })
  return { first }
}
