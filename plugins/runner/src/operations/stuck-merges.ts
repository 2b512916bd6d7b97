import type { ServiceClient } from '@gateway/sdk'
import type { Task } from '../schema.ts'
import { changeTask } from './change-task.ts'

interface Stuck {
  readonly reason: string
  /** Passes that failed. */
  readonly passes: number
  readonly since: number
  readonly toldAt: number | undefined
}

interface Failed {
  readonly branch: string
  readonly task: Task
  readonly reason: string
}

/** The gateway forgets a branch of which it hears nothing for two days, and passes are at most a day apart. */
const AGAIN_MS = 3_600_000
const MAX_STUCK = 1_000
const MAX_REASON = 2_000

/** A branch that waits this long for one that its task depends on is told: that one may be forgotten, or merged under another name. */
const WAITING_MS = 3_600_000

/** Accepted branches that passes could not merge. The first pass may have met a fault that goes by, so the second one tells the gateway. */
export class StuckMerges {
  private readonly stuck = new Map<string, Stuck>()
  private readonly now: () => number
  constructor(now: () => number = Date.now) {
    this.now = now
  }

  /** Notes a failed pass. True if its reason is another one than that of the pass before. */
  async failed(client: ServiceClient, failed: Failed): Promise<boolean> {
    return await this.note(client, failed, ({ passes }) => passes > 1, 1)
  }

  /** Notes a pass in which a branch waits for another one, as it should for a while. */
  async waits(client: ServiceClient, waiting: Failed): Promise<void> {
    await this.note(client, waiting, ({ since }) => this.now() - since >= WAITING_MS, 0)
  }

  private async note(
    client: ServiceClient,
    { branch, task, reason }: Failed,
    isDue: (stuck: Stuck) => boolean,
    failures: 0 | 1,
  ): Promise<boolean> {
    const said = reason.slice(0, MAX_REASON)
    const before = this.stuck.get(task.taskId)
    const isNews = before === undefined || comparable(before.reason) !== comparable(said)
    if (before === undefined && this.stuck.size >= MAX_STUCK) return isNews
    const now = this.now()
    const [since, toldAt] = isNews ? [now, undefined] : [before.since, before.toldAt]
    const passes = failures === 0 ? 0 : (before?.passes ?? 0) + 1
    const stuck = { reason: said, passes, since, toldAt }
    const isTold = isDue(stuck) && (toldAt === undefined || now - toldAt >= AGAIN_MS)
    this.stuck.set(task.taskId, isTold ? { ...stuck, toldAt: now } : stuck)
    if (isTold) await tell(client, { branch, task, reason: said })
    return isNews
  }

  /** Notes that a branch was merged, or that its task went back. A runner before this one may have reported it. */
  async settled(client: ServiceClient, { branch, task: { taskId } }: Omit<Failed, 'reason'>): Promise<void> {
    this.stuck.delete(taskId)
    await client.post('/api/runners/unmerged', { taskId, branch }).catch(() => undefined)
  }
}

/** A reason without the commits that it names, since a rebase gives each pass another one. */
const comparable = (reason: string): string => reason.replaceAll(/\b[0-9a-f]{7,40}\b/g, '')

/** The note goes to the task as it is now, unless somebody has decided otherwise about it. */
async function tell(client: ServiceClient, { branch, task: { taskId, status }, reason }: Failed): Promise<void> {
  await client.post('/api/runners/unmerged', { taskId, branch, reason }).catch(() => undefined)
  const isOver = ({ notes = '', status: now }: Task): boolean => now !== status || comparable(notes).includes(comparable(reason))
  const note = `Accepted, not merged: ${reason}`
  await changeTask(client, taskId, (now) => (isOver(now) ? undefined : { note })).catch(() => undefined)
}
