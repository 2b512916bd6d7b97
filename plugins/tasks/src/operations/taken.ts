import type { CallContext, Resolved } from '@gateway/sdk'
import { taskTaken } from '../api.ts'

export const takenUses = { takers: taskTaken }

/** Tells other plugins that nobody else can claim a task any more. */
export async function announceTaken({ takers }: Resolved<typeof takenUses>, taskId: string, ctx: CallContext): Promise<void> {
  for (const taker of takers) {
    await taker.taken(taskId).catch((error: unknown) => ctx.log.error('a plugin could not take note of a claim', { taskId, err: error }))
  }
}
