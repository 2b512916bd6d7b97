/** A place that a run needs and cannot have now: a branch, a lock, a folder or room on the disk. */
export interface Taken {
  readonly reason: string
  /** True if other tasks of the machine would meet it too, so that the slot waits before it takes one. */
  readonly isShared: boolean
}

const FULL = 'The disk of the runner cannot be written. If it or its quota there is full, free some space.'
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT'])
/** A git that fills the disk names the file that it could not write, and often no reason. */
const FULL_WORDS =
  /No space left on device|Disk quota exceeded|^(?:git [a-z-]+: )?(?:error|fatal): unable to write (?:file|new.?index|loose object)/m

/** The place that is not free for now, as git or the file system tells it; undefined for faults that do not pass by themselves. */
export function takenPlace(error: unknown): Taken | undefined {
  const { message, code = '' } = error as NodeJS.ErrnoException
  const [, branch, folder] = /'([^'\n]+)' (?:is )?already (?:checked out|used by worktree) at '([^'\n]+)'/.exec(message) ?? []
  if (branch !== undefined) {
    const reason = `The branch ${branch} is checked out at ${folder}. The task goes on when it is not: switch that folder to another branch.`
    return { reason, isShared: false }
  }
  const [, updated] = /cannot force update the branch '[^'\n]+' (?:checked out|used by worktree) at '([^'\n]+)'/.exec(message) ?? []
  if (updated !== undefined) {
    return { reason: `The branch of the task is checked out at ${updated}. The task goes on when it is not.`, isShared: false }
  }
  const [, lock] = /Unable to create '([^'\n]+\.lock)': File exists/.exec(message) ?? []
  if (lock !== undefined) {
    return { reason: `Another git process holds ${lock}. Remove this file if none is at work.`, isShared: true }
  }
  const [, occupied] = /fatal: '([^'\n]+)' already exists/.exec(message) ?? []
  if (occupied !== undefined) return { reason: `The folder ${occupied} of the worktree is occupied. Move it away.`, isShared: false }
  const isFull = FULL_CODES.has(code) || FULL_WORDS.test(message)
  return isFull ? { reason: FULL, isShared: true } : undefined
}

/** Pause of a task that was given back this many times before: it looks again soon, and less often while nothing changes. */
export const secondsUntilFree = (times: number): number => Math.min(60 * 2 ** Math.min(times, 4), 900)
