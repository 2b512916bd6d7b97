import { type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { byRank } from '../operations/selection.ts'

/** Beyond it only “many” matters. */
const COUNT_UP_TO = 1_000

/** Tasks that have used up their retries wait for a person. */
export const deadLettersWait = contribute(attentionSource, {
  uses: { tasks },
  create: ({ tasks }): AttentionSource => ({
    kind: 'dead-letter',
    capability: 'work',
    async look(limit) {
      const where = { stage: 'dead_letter' } as const
      const [count, { items }] = await Promise.all([tasks.count(where, { max: COUNT_UP_TO }), tasks.find({ where, sort: byRank, limit })])
      return {
        count,
        items: items.map(({ taskId, title, lastError, updatedAt }) => ({
          id: taskId,
          title: `Task “${title}” has failed for good`,
          ...(lastError !== undefined && { text: lastError.slice(0, 300) }),
          tone: 'bad',
          at: updatedAt,
          link: { to: '/tasks/:taskId', with: { taskId } },
        })),
      }
    },
  }),
})
