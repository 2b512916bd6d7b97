import { closed, defineRoute, Type } from '@gateway/sdk'
import { webhooks } from '../collections.ts'
import { findWebhook } from '../operations/find-record.ts'
import { shownWebhook } from '../rules/show.ts'
import { Webhook, webhookId } from '../schema.ts'

export const get = defineRoute({
  name: 'webhooks.get',
  description: 'Look up a webhook. Returns it without its secret, with the state of its receiver. Needs `configure`.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/webhooks/:webhookId',
  input: Type.Object({ webhookId }, closed),
  output: Type.Object({ webhook: Webhook }, closed),
  uses: { webhooks },
  handle: async ({ webhookId }, { webhooks }) => ({ webhook: shownWebhook(await findWebhook(webhooks, webhookId)) }),
})
