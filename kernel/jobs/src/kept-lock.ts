import { setMaxListeners } from 'node:events'
import { LockLost } from './repository.ts'

export interface KeptLock {
  /** Aborted with a LockLost reason once another node may hold the lock, or by `end`. */
  readonly signal: AbortSignal
  /** Ends everything that runs under the lock. */
  end(reason: Error): void
  /** Stops renewing the lock. */
  release(): Promise<void>
}

const RENEWALS_IN_A_LIFETIME = 3

/** Renews the lock of a running job. A failed renewal is retried for as long as no other node can have the lock. */
export function keepLock(job: { touch(): Promise<void>; readonly attrs: { readonly name: string } }, lifetimeMs: number): KeptLock {
  const control = new AbortController()
  // Any number of runs may listen to it at once.
  setMaxListeners(0, control.signal)
  // Not the wall clock, which may be set back.
  let renewedAt = performance.now()
  let renewing: Promise<void> | undefined

  async function renew(): Promise<void> {
    const asked = performance.now()
    // This process was paused for that long, or the store could not be reached.
    if (asked - renewedAt >= lifetimeMs) return control.abort(new LockLost(job.attrs.name))
    try {
      await job.touch()
      renewedAt = asked
    } catch (error) {
      if (error instanceof LockLost) control.abort(error)
    }
  }

  const timer = setInterval(() => {
    renewing ??= renew().finally(() => (renewing = undefined))
  }, lifetimeMs / RENEWALS_IN_A_LIFETIME)

  return {
    signal: control.signal,
    end: (reason) => control.abort(reason),
    async release() {
      clearInterval(timer)
      // A renewal after the release would lock the job again.
      await renewing
    },
  }
}
