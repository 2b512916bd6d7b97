import { type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { unmergedUses, waitingToMerge } from '../operations/unmerged.ts'

/** Accepted work that the lane merge cannot merge: its task looks finished, so nobody would look at it. */
export const unmergedWait = contribute(attentionSource, {
  uses: unmergedUses,
  create: (refs): AttentionSource => ({
    kind: 'unmerged',
    capability: 'work',
    async look(limit) {
      const waiting = await waitingToMerge(refs)
      const items = waiting.slice(0, limit).map(({ taskId, reason, since, task }) => ({
        id: taskId,
        title: `Task “${task.title}” is accepted, and not merged`,
        text: reason.slice(0, 300),
        tone: 'bad' as const,
        at: since,
        link: { to: '/tasks/:taskId', with: { taskId } },
      }))
      return { count: waiting.length, items }
    },
  }),
})
