import { closed, defineRoute, Type } from '@gateway/sdk'
import { webhooks } from '../collections.ts'
import { shownWebhook } from '../rules/show.ts'
import { Webhook } from '../schema.ts'

const ALL = 1_000

export const list = defineRoute({
  name: 'webhooks.list',
  description: 'List the webhooks of the tenant, the oldest first. Returns them without their secrets. Needs `configure`.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/webhooks',
  input: Type.Object({}, closed),
  output: Type.Object({ webhooks: Type.Array(Webhook) }, closed),
  uses: { webhooks },
  async handle(_, { webhooks }) {
    return { webhooks: (await webhooks.find({ sort: { webhookId: 1 }, limit: ALL })).items.map(shownWebhook) }
  },
})
