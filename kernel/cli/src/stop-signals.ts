const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const
export type StopSignal = keyof typeof SIGNALS

/** From now on SIGINT and SIGTERM ask for a stop; a second one, of either kind, ends the process at once. */
export function stopSignals(): { readonly first: Promise<StopSignal> } {
  const first = new Promise<StopSignal>((resolve) => {
    let asked = false
    for (const signal of Object.keys(SIGNALS) as StopSignal[]) {
      process.on(signal, () => {
        if (asked) process.exit(128 + SIGNALS[signal])
        asked = true
        resolve(signal)
      })
    }
  })
  return { first }
}
