import { defineJob, dueIn, now } from '@gateway/sdk'
import { webhooks } from '../collections.ts'
import { takeTurn, turnUses } from '../operations/turn.ts'
import { slots } from '../services/slots.ts'

const due = { nextAt: { lte: now() } } as const
const ALL = 1_000

/** Delivers waiting events twice a second. Runs may overlap, so that a receiver that hangs delays no other. */
export const deliver = defineJob('webhooks.deliver', {
  everySeconds: 0.5,
  overlapping: true,
  activeTenantsOnly: true,
  due: [dueIn(webhooks, due)],
  uses: { ...turnUses, slots },
  async run({ slots, ...refs }, ctx): Promise<{ sent: number }> {
    const { items } = await refs.webhooks.find({ where: due, sort: { nextAt: 1 }, limit: ALL })
    // Webhooks without a free slot are found again by the next run.
    const turns = items.map(async ({ webhookId }) => {
      try {
        return (await slots.deliver(ctx.tenantId, () => takeTurn(refs, webhookId, ctx))) ?? 0
      } catch (error) {
        ctx.log.error('a webhook could not be delivered to', { webhookId, err: error })
        return 0
      }
    })
    return { sent: (await Promise.all(turns)).reduce((sum, sent) => sum + sent, 0) }
  },
})
