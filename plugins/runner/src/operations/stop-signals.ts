/** SIGINT and SIGTERM drain; a second one, a second later or more, also returns the tasks at work. */
export function stopSignals(): { readonly drain: AbortSignal; readonly giveBack: AbortSignal; readonly end: () => void } {
  const [drain, giveBack] = [new AbortController(), new AbortController()]
  let askedAt: number | undefined
  const onSignal = (): void => {
    if (askedAt !== undefined && performance.now() - askedAt >= SAME_STOP_MS) giveBack.abort()
    askedAt ??= performance.now()
    drain.abort()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return { drain: drain.signal, giveBack: giveBack.signal, end: () => SIGNALS.forEach((signal) => void process.off(signal, onSignal)) }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** A signal to a process group may arrive twice under npm. */
const SAME_STOP_MS = 500
