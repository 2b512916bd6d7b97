import { defineService, provideProcess } from '@gateway/sdk'

/**
 * Sweeps take turns in this process: the job's and the operator's would both find the same removal unfinished, and prove it.
 */
export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>
}
export const turns = defineService<Turns>('tenant-end.turns', 'process')

export const turnsProvider = provideProcess(turns, {
  create() {
    let last: Promise<unknown> = Promise.resolve()
    return {
      take(work) {
        const done = last.then(work)
        last = done.catch(() => undefined)
        return done
      },
    }
  },
})
