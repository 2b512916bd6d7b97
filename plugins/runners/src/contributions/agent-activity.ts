import { agentActivity, contribute } from '@gateway/sdk'
import { slotLeases } from '../collections.ts'
import { MAX_SLOTS } from '../schema.ts'

/** Runner slots that are held under a name. There are few slots, so all are read. */
export const slotsOfAgents = contribute(agentActivity, {
  uses: { slotLeases },
  create: ({ slotLeases }) => ({
    async of({ name, limit }) {
      const { items } = await slotLeases.find({ limit: MAX_SLOTS })
      return {
        holds: items
          .filter(({ holder }) => holder === name)
          .slice(0, limit)
          .map(({ slot, taskId, acquiredAt, leaseUntil }) => ({
            kind: 'runner-slot',
            id: String(slot),
            title: taskId === undefined ? `Slot ${slot}` : `Slot ${slot}, task ${taskId}`,
            at: acquiredAt,
            until: leaseUntil,
          })),
      }
    },
  }),
})
