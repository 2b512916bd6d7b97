import { outgoing } from '@gateway/plugin-outgoing/api'
import {
  atomically,
  BadRequest,
  callerName,
  checkUnchanged,
  closed,
  defined,
  defineRoute,
  gatewayInfo,
  ifUpdatedAt,
  NotFound,
  now,
  Type,
  type Update,
} from '@gateway/sdk'
import { webhooks } from '../collections.ts'
import { config } from '../config.ts'
import { readEvents, readReceiver } from '../operations/read-given.ts'
import { newSecret, secretSeal } from '../operations/secret.ts'
import { shownWebhook } from '../rules/show.ts'
import { given, type StoredWebhook, Webhook, webhookId } from '../schema.ts'

export const update = defineRoute({
  name: 'webhooks.update',
  description:
    'Change a webhook; omitted fields stay. `enabled: true` sends waiting deliveries, even after the gateway had disabled it. Returns the webhook, and the secret created by `newSecret`, which is shown only once.',
  capability: 'configure',
  effect: 'write',
  rest: 'PATCH /api/webhooks/:webhookId',
  input: Type.Object(
    {
      webhookId,
      ...Type.Partial(Type.Object(given)).properties,
      newSecret: Type.Optional(Type.Boolean({ description: 'true: create a secret.' })),
      ifUpdatedAt,
    },
    closed,
  ),
  output: Type.Object({ webhook: Webhook, secret: Type.Optional(Type.String()) }, closed),
  uses: { webhooks, config, outgoing, gateway: gatewayInfo, seal: secretSeal, atomically },
  async handle({ webhookId, url, events, description, secret: own, newSecret: makes, enabled, ifUpdatedAt: expected }, refs, ctx) {
    if (own !== undefined && makes === true)
      throw BadRequest({ field: 'newSecret', message: '`newSecret` and `secret` exclude each other; got both.' })
    const secret = makes === true ? newSecret() : own
    const set = {
      ...(url !== undefined && readReceiver(refs, url, ctx)),
      ...(events !== undefined && { events: readEvents(refs, events) }),
      ...defined({ description }),
      ...(secret !== undefined && { secret: refs.seal.seal(secret, webhookId) }),
      updatedBy: callerName(ctx.principal),
    }
    const webhook = await refs.atomically(async (tx) => {
      const before = await refs.webhooks.in(tx).get(webhookId)
      if (!before) throw NotFound({ what: 'webhook', id: webhookId })
      checkUnchanged(before, expected)
      const { set: turned, unset } = switched(before, enabled)
      const change = { set: { ...set, ...turned, updatedAt: tx.now.toISOString() }, ...(unset && { unset }) }
      return (await refs.webhooks.in(tx).updateOne(webhookId, change)) ?? before
    })
    ctx.audit('webhook.change', { action: 'update', webhookId, fields: Object.keys(set).filter((name) => name !== 'updatedBy') })
    return { webhook: shownWebhook(webhook), ...(makes === true && secret !== undefined && { secret }) }
  },
})

/** When switched on, waiting deliveries are sent at once and without earlier failures; when switched off, nothing is sent. */
function switched({ enabled: before, waiting }: StoredWebhook, enabled: boolean | undefined): Update<StoredWebhook> {
  if (enabled === undefined || enabled === before) return {}
  if (!enabled) return { set: { enabled }, unset: ['nextAt', 'holder'] }
  return { set: { enabled, failures: 0, ...(waiting > 0 && { nextAt: now() }) }, unset: ['disabled', 'failingSince', 'holder'] }
}
