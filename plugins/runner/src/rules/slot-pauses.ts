import type { End } from './end.ts'
import { secondsUntilFree } from './taken.ts'

const MIN_SECONDS = 10
const MAX_SECONDS = 900

/** Pause of a slot whose agent was refused its credential this many times in a row. */
export const secondsAfterRefusals = (count: number): number => Math.min(60 * 2 ** (count - 1), MAX_SECONDS)

/** Pause of a slot whose agent has used up its quota. It ends before a late reset, since other agents of the lane may have a quota left. */
export const secondsAfterQuota = (deferSeconds: number): number => Math.min(Math.max(Math.ceil(deferSeconds), MIN_SECONDS), MAX_SECONDS)

interface SlotPause {
  readonly seconds: number
  readonly reason: string
}

/** Pauses of a slot after runs whose fault the next task would meet as well. */
export class SlotPauses {
  private refused = 0
  private taken = 0

  /** The pause after this end; undefined if the slot goes on at once. */
  after(end: End): SlotPause | undefined {
    this.refused = end.kind === 'failed' && end.failure === 'auth' ? this.refused + 1 : 0
    this.taken = end.kind === 'returned' && end.taken?.isShared ? this.taken + 1 : 0
    if (this.refused > 0) return pause(secondsAfterRefusals(this.refused), 'the credential of the agent was refused. The')
    if (this.taken > 0) return pause(secondsUntilFree(this.taken - 1), 'the')
    const isQuota = end.kind === 'returned' && end.isQuota
    return isQuota ? pause(secondsAfterQuota(end.deferSeconds), 'the quota of the agent is used up. The') : undefined
  }
}

const pause = (seconds: number, begin: string): SlotPause => ({ seconds, reason: `${begin} next task is taken in ${seconds} seconds.` })
