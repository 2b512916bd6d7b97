import { type AttentionSource, arg, attentionSource, contribute } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { swarmApprove } from '../tools/swarm-approve.ts'

const COUNT_UP_TO = 1_000

/** A swarm that is not approved, or whose budget is used up, waits for a person. */
export const approvals = contribute(attentionSource, {
  uses: { swarms },
  create: ({ swarms }): AttentionSource => ({
    kind: 'swarm-approval',
    capability: 'work',
    alertAfterSeconds: 3_600,
    actions: [
      {
        id: 'approve',
        label: 'Approve',
        icon: 'check',
        tone: 'primary',
        tool: swarmApprove,
        arguments: { swarmId: arg.row('/id') },
        confirm: { object: arg.row('/title'), text: 'Its paused children go to the queue, and agents begin to work on them.' },
      },
    ],
    async look(limit) {
      const where = { status: { in: ['planning', 'paused'] } } as const
      const [count, { items }] = await Promise.all([
        swarms.count(where, { max: COUNT_UP_TO }),
        swarms.find({ where, sort: { createdAt: -1 }, limit }),
      ])
      return {
        count,
        items: items.map(({ swarmId, goal, childCount, pausedBy, createdAt, updatedAt }) => ({
          id: swarmId,
          title: pausedBy === 'budget' ? `Swarm “${goal}” has used up its budget` : `Swarm “${goal}” waits for an approval`,
          text: childCount === 1 ? '1 task is paused until then.' : `${childCount} tasks are paused until then.`,
          tone: pausedBy === 'budget' ? 'bad' : 'warn',
          at: pausedBy === 'budget' ? updatedAt : createdAt,
          link: { to: '/swarms/:swarmId', with: { swarmId } },
        })),
      }
    },
  }),
})
