import type { CallContext, Resolved } from '@gateway/sdk'
import { taskTaken } from '../api.ts'

export const takenUses = { takers: taskTaken }

/** Notifies other plugins that a task cannot be claimed by anyone else any more. */
export async function announceTaken({ takers }: Resolved<typeof takenUses>, taskId: string, ctx: CallContext): Promise<void> {
  for (const taker of takers) {
    await taker.taken(taskId).catch((error: unknown) => ctx.log.error('a plugin could not take note of a claim', { taskId, err: error }))
  }
}
