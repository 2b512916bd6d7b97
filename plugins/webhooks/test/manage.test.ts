import assert from 'node:assert/strict'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import { alertRaised, definePlugin, on } from '@gateway/sdk'
import { refusal, startTestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'
import { bell, deliveriesOf, operatorOf, receiver, ring, run, SECRET, signed, start, status, subscribe, well } from './support.ts'

const URL_OUTSIDE = 'https://hooks.example.com/in'
const admin = { kind: 'user', role: 'admin', id: 'ann', tenantId: 'acme' } as const

test('a webhook is made, looked at, changed and deleted over REST, and its secret is shown once', async () => {
  await using gateway = await start()
  const headers = { 'content-type': 'application/json' }
  const made = await gateway.inject({ method: 'POST', url: '/api/webhooks', headers, body: { url: URL_OUTSIDE, events: ['bell.rang'] } })
  assert.equal(made.status, 201)
  const { webhook, secret } = made.json()
  assert.match(secret, /^whs_.{43}$/)
  assert.deepEqual(
    { ...webhook, webhookId: '', createdAt: '', updatedAt: '' },
    {
      webhookId: '',
      url: URL_OUTSIDE,
      events: ['bell.rang'],
      enabled: true,
      waiting: 0,
      failures: 0,
      createdAt: '',
      updatedAt: '',
      updatedBy: 'operator',
    },
  )
  const list = (await gateway.inject({ method: 'GET', url: '/api/webhooks' })).json()
  assert.deepEqual(list, { webhooks: [webhook] })
  const url = `/api/webhooks/${webhook.webhookId}`
  const changed = await gateway.inject({ method: 'PATCH', url, headers, body: { description: 'For the chat', newSecret: true } })
  assert.equal(changed.json().webhook.description, 'For the chat')
  assert.equal(changed.json().webhook.url, URL_OUTSIDE)
  assert.notEqual(changed.json().secret, secret)
  const everything = JSON.stringify(await gateway.documents())
  assert.ok(!everything.includes(secret) && !everything.includes(changed.json().secret), 'the store has it sealed')
  assert.equal((await gateway.inject({ method: 'DELETE', url })).status, 200)
  assert.equal((await gateway.inject({ method: 'GET', url })).status, 404)
  const audited = (await gateway.audit()).map(({ tool }) => tool)
  assert.ok(audited.includes('webhooks.create') && audited.includes('webhooks.remove'))
})

test('the events that can be subscribed to are the public ones, each with its schema', async () => {
  await using gateway = await start()
  const { events } = (await gateway.inject({ method: 'GET', url: '/api/webhooks/events' })).json()
  assert.deepEqual(events, [
    {
      event: 'bell.rang',
      plugin: 'bell',
      description: 'The bell was rung.',
      schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
    },
  ])
  const wrong = gateway.call('webhooks.create', { url: URL_OUTSIDE, events: ['bell.dusted'] })
  await assert.rejects(wrong, refusal('BAD_REQUEST', 'events', /\*, bell\.rang\); got "bell\.dusted"/))
})

for (const [url, says] of [
  ['http://hooks.example.com/in', /https/],
  ['https://127.0.0.1/in', /this machine/],
  ['https://10.0.0.8/in', /open internet/],
  ['https://[::ffff:10.0.0.8]/in', /plain notation|open internet/],
  ['https://metadata.internal/in', /open internet/],
  ['https://ann:secret@hooks.example.com/in', /user name/],
  ['https://hooks.example.com:22/in', /ports 443/],
] as const) {
  test(`a tenant’s webhook does not lead to ${url}`, async () => {
    await using gateway = await start()
    const refused = refusal('BAD_REQUEST', 'url', says)
    await assert.rejects(subscribe(gateway, url, {}, { as: admin }), refused)
    const webhookId = await subscribe(gateway, URL_OUTSIDE, {}, { as: admin })
    await assert.rejects(gateway.call('webhooks.update', { webhookId, url }, { as: admin }), refused)
  })
}

test('a secret that is too short is refused without being repeated', async () => {
  await using gateway = await start()
  await assert.rejects(subscribe(gateway, URL_OUTSIDE, { secret: 'hunter2' }), (error: Error) => {
    assert.match(error.message, /secret/)
    assert.doesNotMatch(error.message, /hunter2/)
    return true
  })
})

test('a tenant has so many webhooks and no more', async () => {
  await using gateway = await start({ perTenant: 2 })
  await Promise.allSettled(Array.from({ length: 5 }, () => subscribe(gateway, URL_OUTSIDE)))
  assert.equal((await gateway.call('webhooks.list')).webhooks.length, 2)
  await assert.rejects(subscribe(gateway, URL_OUTSIDE), refusal('CONFLICT', undefined, /2 webhooks/))
})

test('another tenant sees and moves nothing of a webhook, and hears no event of it', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  const as = operatorOf('acme')
  const webhookId = await subscribe(gateway, hook.url, {}, { as })
  await ring(gateway, ['of acme'], { as })
  await ring(gateway, ['of globex'], { as: operatorOf('globex') })
  await run(gateway)
  assert.deepEqual(hook.texts(), ['of acme'])
  const [kept] = await deliveriesOf(gateway, webhookId, { as })
  const stranger = { as: { kind: 'user', role: 'owner', id: 'bob', tenantId: 'globex' } } as const
  assert.deepEqual(await gateway.call('webhooks.list', {}, stranger), { webhooks: [] })
  const ids = { webhookId, deliveryId: kept?.deliveryId ?? '' }
  for (const [route, args] of [
    ['webhooks.get', { webhookId }],
    ['webhooks.update', { webhookId, enabled: false }],
    ['webhooks.remove', { webhookId }],
    ['webhooks.ping', { webhookId }],
    ['webhooks.deliveries', { webhookId }],
    ['webhooks.delivery', ids],
    ['webhooks.replay', ids],
  ] as const) {
    await assert.rejects(gateway.call(route, args, stranger), refusal('NOT_FOUND'), route)
  }
})

test('a member may not see or make webhooks', async () => {
  await using gateway = await start({}, { env: { RBAC_ENFORCE: '1' } })
  const as = { ...admin, role: 'member' } as const
  await assert.rejects(gateway.call('webhooks.list', {}, { as }), refusal('FORBIDDEN'))
  await assert.rejects(subscribe(gateway, URL_OUTSIDE, {}, { as }), refusal('FORBIDDEN'))
})

test('a ping goes to one webhook, whatever it subscribed to', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  const webhookId = await subscribe(gateway, hook.url)
  const answer = await gateway.inject({ method: 'POST', url: `/api/webhooks/${webhookId}/ping` })
  assert.equal(answer.status, 202)
  await run(gateway)
  assert.equal(hook.received[0]?.headers['x-webhook-event'], 'webhooks.ping')
  assert.deepEqual(JSON.parse(hook.received[0]?.body ?? '').data, { webhookId })
})

test('a replay delivers the same bytes under the same id, and is known as one', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  const webhookId = await subscribe(gateway, hook.url)
  await ring(gateway, ['ding'])
  await run(gateway)
  const [kept] = await deliveriesOf(gateway, webhookId)
  const answer = await gateway.inject({ method: 'POST', url: `/api/webhooks/${webhookId}/deliveries/${kept?.deliveryId}/replay` })
  assert.equal(answer.status, 202)
  assert.equal(answer.json().delivery.state, 'waiting')
  await run(gateway)
  const [first, again] = hook.received
  assert.equal(again?.body, first?.body)
  assert.equal(again?.headers['x-webhook-delivery'], first?.headers['x-webhook-delivery'])
  assert.equal(again?.headers['x-webhook-signature-256'], signed(first?.body ?? '', SECRET))
  const [after] = await deliveriesOf(gateway, webhookId)
  assert.deepEqual([after?.state, after?.replays, after?.attempts], ['delivered', 1, 2])
  assert.equal((await gateway.call('webhooks.get', { webhookId })).webhook.waiting, 0)
})

test('a replay of what waits for its next attempt tries it at once', async () => {
  await using gateway = await start()
  await using hook = await receiver(status(500))
  const webhookId = await subscribe(gateway, hook.url)
  await ring(gateway, ['ding'])
  await run(gateway)
  hook.answer = well
  const [kept] = await deliveriesOf(gateway, webhookId)
  await gateway.call('webhooks.replay', { webhookId, deliveryId: kept?.deliveryId })
  await run(gateway)
  assert.deepEqual(hook.texts(), ['ding', 'ding'])
})

test('of what has ended so many deliveries are kept, and what waits is kept besides', async () => {
  await using gateway = await start({ kept: 3 })
  await using hook = await receiver()
  const webhookId = await subscribe(gateway, hook.url)
  await ring(gateway, ['1', '2', '3', '4', '5'])
  await run(gateway)
  hook.answer = status(500)
  await ring(gateway, ['6', '7', '8', '9'])
  await run(gateway)
  const states = (await deliveriesOf(gateway, webhookId)).map(({ state }) => state).sort()
  assert.deepEqual(states, ['delivered', 'delivered', 'delivered', 'retrying', 'waiting', 'waiting', 'waiting'])
})

test('deliveries that ended long ago are removed, and those that wait are not', async () => {
  await using gateway = await start({ retentionDays: 1 })
  await using hook = await receiver()
  const webhookId = await subscribe(gateway, hook.url)
  await ring(gateway, ['old'])
  await run(gateway)
  await ring(gateway, ['waits'])
  gateway.clock.advance(2 * 86_400)
  await gateway.runJob('webhooks.retention')
  assert.deepEqual(
    (await deliveriesOf(gateway, webhookId)).map(({ state }) => state),
    ['waiting'],
  )
})

const alerts: { source: string; message: string }[] = []
const ears = definePlugin({
  id: 'ears',
  sdk: '^1.0.0',
  description: 'Hears alerts.',
  on: [on(alertRaised, { handle: async (alert) => void alerts.push(alert) })],
})
/** Listeners hear of it in a turn of their own. */
async function told(): Promise<void> {
  while (alerts.length === 0) await new Promise(setImmediate)
}
async function alerting(config: object = {}) {
  alerts.length = 0
  return startTestGateway({ plugins: [outgoing, plugin, bell, ears], config: { webhooks: { ...config } } })
}

test('a receiver that takes nothing for too long has its webhook disabled and people told; enabled again, it gets what waited, in order', async () => {
  await using gateway = await alerting({ giveUpAfterHours: 2 })
  await using hook = await receiver(status(503))
  const webhookId = await subscribe(gateway, hook.url)
  await ring(gateway, ['a', 'b'])
  for (let hours = 0; hours < 8; hours++) {
    await run(gateway)
    gateway.clock.advance(3_600)
  }
  const { webhook } = await gateway.call('webhooks.get', { webhookId })
  assert.deepEqual([webhook.enabled, webhook.disabled.reason, webhook.waiting], [false, 'unreachable', 2])
  await told()
  assert.equal(alerts.length, 1)
  assert.equal(alerts[0]?.source, 'webhooks.disabled')
  assert.match(alerts[0]?.message ?? '', new RegExp(`${webhookId} to http://127.0.0.1:\\d+: it has taken nothing for 2 hours`))
  const before = hook.received.length
  await ring(gateway, ['lost'])
  await run(gateway)
  assert.equal(hook.received.length, before)
  hook.answer = well
  await gateway.call('webhooks.update', { webhookId, enabled: true })
  await run(gateway)
  assert.deepEqual(hook.texts().slice(before), ['a', 'b'])
  assert.equal((await gateway.call('webhooks.get', { webhookId })).webhook.disabled, undefined)
})

test('a receiver that answers 410 is gone at once', async () => {
  await using gateway = await alerting()
  await using hook = await receiver(status(410))
  const webhookId = await subscribe(gateway, hook.url)
  await ring(gateway, ['a'])
  await run(gateway)
  assert.equal((await gateway.call('webhooks.get', { webhookId })).webhook.disabled.reason, 'gone')
  await told()
  assert.equal(alerts.length, 1)
})

test('more than may wait for a receiver disables its webhook, and the change that told of it stands', async () => {
  await using gateway = await alerting({ maxWaiting: 10 })
  await using hook = await receiver()
  const webhookId = await subscribe(gateway, hook.url)
  await ring(
    gateway,
    Array.from({ length: 15 }, (_, n) => `${n}`),
  )
  const { webhook } = await gateway.call('webhooks.get', { webhookId })
  assert.deepEqual([webhook.enabled, webhook.disabled.reason, webhook.waiting], [false, 'backlog', 11])
  await told()
  await gateway.call('webhooks.update', { webhookId, enabled: true })
  await run(gateway)
  assert.equal(hook.received.length, 11)
})

test('a delivery that fails while others get through is given up in the end, and can be replayed', async () => {
  await using gateway = await start({ giveUpAfterHours: 1 })
  await using hook = await receiver()
  hook.answer = (request, response) => (hook.received.at(-1)?.text === 'poison' ? status(500) : well)(request, response)
  const webhookId = await subscribe(gateway, hook.url)
  await ring(gateway, ['poison'])
  for (let n = 0; n < 60; n++) {
    await ring(gateway, [`good ${n}`])
    await run(gateway)
    gateway.clock.advance(120)
  }
  const { deliveries } = await gateway.call('webhooks.deliveries', { webhookId, state: 'failed' })
  assert.equal(deliveries.length, 1)
  assert.equal((await gateway.call('webhooks.get', { webhookId })).webhook.enabled, true)
  hook.answer = well
  await gateway.call('webhooks.replay', { webhookId, deliveryId: deliveries[0].deliveryId })
  await run(gateway)
  assert.equal(hook.texts().at(-1), 'poison')
})
