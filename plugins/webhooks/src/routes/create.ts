import { outgoing } from '@gateway/plugin-outgoing/api'
import { atomically, Conflict, callerName, closed, defined, defineRoute, gatewayInfo, Type } from '@gateway/sdk'
import { webhooks } from '../collections.ts'
import { config } from '../config.ts'
import { readEvents, readReceiver } from '../operations/read-given.ts'
import { newSecret, secretSeal } from '../operations/secret.ts'
import { shownWebhook } from '../rules/show.ts'
import { given, Webhook } from '../schema.ts'

export const create = defineRoute({
  name: 'webhooks.create',
  description:
    'Deliver public events to a receiver outside, as signed POSTs. Returns the webhook and its secret, which is shown only once.',
  capability: 'configure',
  effect: 'write',
  rest: 'POST /api/webhooks',
  status: 201,
  input: Type.Object(given, closed),
  output: Type.Object({ webhook: Webhook, secret: Type.String() }, closed),
  uses: { webhooks, config, outgoing, gateway: gatewayInfo, seal: secretSeal, atomically },
  async handle({ url, events, description, secret = newSecret(), enabled = true }, refs, ctx) {
    const webhookId = ctx.newId('webhook-')
    const receiver = readReceiver(refs, url, ctx)
    const subscribed = readEvents(refs, events)
    const sealed = refs.seal.seal(secret, webhookId)
    const webhook = await refs.atomically(async (tx) => {
      const { perTenant } = refs.config
      if ((await refs.webhooks.in(tx).count({}, { max: perTenant })) >= perTenant)
        throw Conflict({ message: `This tenant has ${perTenant} webhooks, the maximum; delete one first.` })
      const at = tx.now.toISOString()
      return refs.webhooks.in(tx).insert({
        webhookId,
        ...receiver,
        events: subscribed,
        ...defined({ description }),
        enabled,
        waiting: 0,
        failures: 0,
        createdAt: at,
        updatedAt: at,
        updatedBy: callerName(ctx.principal),
        secret: sealed,
        taken: 0,
        ended: 0,
      })
    })
    ctx.audit('webhook.change', { action: 'create', webhookId, events: subscribed })
    return { webhook: shownWebhook(webhook), secret }
  },
})
