import { contribute, eventRecorder } from '@gateway/sdk'
import { enqueue, enqueueUses } from '../operations/enqueue.ts'
import { ALL_EVENTS } from '../schema.ts'

/** Far beyond what a tenant may have. */
const ALL = 1_000

/**
 * Records every public event in the transaction of its change. For a tenant without webhooks it costs a look into an empty list.
 */
export const recordedEvents = contribute(eventRecorder, {
  uses: enqueueUses,
  create: (refs, ctx) => ({
    async record(event, tx) {
      const subscribed = { or: [{ events: { has: event.event } }, { events: { has: ALL_EVENTS } }] } as const
      const { items } = await refs.webhooks.in(tx).find({ where: { enabled: true, ...subscribed }, limit: ALL })
      if (items.length > 0) await enqueue(refs, items, event, tx, ctx)
    },
  }),
})
