import { taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, now, optional, type Query, type Resolved } from '@gateway/sdk'
import { planDays } from '../collections.ts'
import { draftOf } from '../rules/task-draft.ts'
import type { PlanDay } from '../schema.ts'

export const fireUses = { planDays, queue: optional(taskQueue), atomically }

/** Enabled days whose time has come since they were planned and that have not fired, earliest first. */
export const due = {
  where: { status: 'enabled', taskId: null, past: null, fireAt: { lte: now() } },
  sort: { fireAt: 1 },
} as const satisfies Query<PlanDay>

/** Makes a due day a task; both are written in one step, so a day fires exactly once. Returns false if it is no longer due. */
export function fire({ planDays, queue, atomically }: Resolved<typeof fireUses>, { planDayId }: PlanDay): Promise<boolean> {
  return atomically(async (tx) => {
    const day = await planDays.in(tx).get(planDayId)
    const isDue = day?.status === 'enabled' && day.taskId === undefined && !day.past && day.fireAt <= tx.now.toISOString()
    if (!queue || !isDue) return false
    const { taskId } = await queue.enqueue(draftOf(day), tx)
    await planDays.in(tx).updateOne(planDayId, { set: { taskId, updatedAt: tx.now.toISOString() } })
    return true
  })
}
