import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { deliveriesOf, operatorOf, receiver, ring, run, SECRET, signed, start, status, subscribe, well } from './support.ts'

test('a public event is delivered to each webhook that subscribed to it, and to no other', async () => {
  await using gateway = await start()
  await using one = await receiver()
  await using all = await receiver()
  await using off = await receiver()
  await subscribe(gateway, one.url)
  await subscribe(gateway, all.url, { events: ['*'] })
  await subscribe(gateway, off.url, { enabled: false })
  await ring(gateway, ['ding'])
  await run(gateway)
  assert.deepEqual([one.texts(), all.texts(), off.texts()], [['ding'], ['ding'], []])
  const [first, second] = [one.received[0], all.received[0]].map((came) => JSON.parse(came?.body ?? ''))
  assert.equal(first.id, second.id, 'one event has one id')
  assert.notEqual(one.received[0]?.headers['x-webhook-delivery'], all.received[0]?.headers['x-webhook-delivery'])
  assert.deepEqual({ ...first, id: '' }, { id: '', event: 'bell.rang', at: first.at, tenantId: 'local', data: { text: 'ding' } })
})

test('an event whose change is rolled back is delivered to nobody', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  const webhookId = await subscribe(gateway, hook.url)
  await assert.rejects(gateway.call('bell_ring', { texts: ['ding'], breaks: true }))
  await run(gateway)
  assert.deepEqual(hook.texts(), [])
  assert.deepEqual(await deliveriesOf(gateway, webhookId), [])
})

test('a delivery is signed over its bytes, alone and with its time, and says what it is', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  const webhookId = await subscribe(gateway, hook.url)
  await ring(gateway, ['dïng ☃'])
  await run(gateway)
  const { headers, body } = hook.received[0] as (typeof hook.received)[0]
  assert.equal(headers['x-webhook-signature-256'], signed(body))
  const timestamp = headers['x-gateway-timestamp']
  const withTime = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
  assert.equal(headers['x-gateway-signature'], `sha256=${withTime}`)
  assert.equal(Number(timestamp), Math.floor(gateway.clock.now() / 1_000))
  const [kept] = await deliveriesOf(gateway, webhookId)
  assert.equal(headers['x-webhook-delivery'], kept?.deliveryId)
  assert.equal(headers['x-webhook-event'], 'bell.rang')
  assert.equal(headers['x-webhook-attempt'], '1')
  assert.equal(headers['content-type'], 'application/json')
  const { delivery } = await gateway.call('webhooks.delivery', { webhookId, deliveryId: kept?.deliveryId })
  assert.equal(delivery.body, body)
})

test('a webhook is told in the order in which things happened, across failures and restarts', async () => {
  await using gateway = await start()
  await using hook = await receiver(status(500))
  await subscribe(gateway, hook.url)
  const texts = Array.from({ length: 150 }, (_, n) => `${n}`)
  await ring(gateway, texts.slice(0, 100))
  await run(gateway)
  assert.deepEqual(hook.texts(), ['0'])
  await gateway.restart()
  await ring(gateway, texts.slice(100))
  hook.answer = well
  gateway.clock.advance(10)
  await run(gateway)
  await run(gateway)
  assert.deepEqual(hook.texts().slice(1), texts)
})

for (const [what, answer] of [
  ['answers 500', status(500, 'out of order')],
  ['answers 404', status(404)],
  ['redirects', status(302, '', { location: '/elsewhere' })],
  ['hangs up', (request) => request.socket.resetAndDestroy()],
  ['hangs', () => {}],
] as const satisfies readonly (readonly [string, Parameters<typeof receiver>[0]])[]) {
  test(`a receiver that ${what} is asked again later, under the same id, until it takes the delivery`, async () => {
    await using gateway = await start({ timeoutSeconds: 1 })
    await using hook = await receiver(answer)
    const webhookId = await subscribe(gateway, hook.url)
    await ring(gateway, ['ding'])
    await run(gateway)
    const [failed] = await deliveriesOf(gateway, webhookId)
    assert.equal(failed?.state, 'retrying')
    assert.equal(failed?.attempts, 1)
    assert.ok(failed?.lastAttempts[0]?.status ?? failed?.lastAttempts[0]?.error, 'why it failed is kept')
    gateway.clock.advance(9)
    await run(gateway)
    assert.equal(hook.received.length, 1, 'not before its time')
    hook.answer = well
    gateway.clock.advance(1)
    await run(gateway)
    const ids = hook.received.map(({ headers }) => headers['x-webhook-delivery'])
    assert.deepEqual(ids, [failed?.deliveryId, failed?.deliveryId])
    assert.equal(hook.received[1]?.headers['x-webhook-attempt'], '2')
    const [taken] = await deliveriesOf(gateway, webhookId)
    assert.deepEqual([taken?.state, taken?.attempts], ['delivered', 2])
  })
}

for (const [form, header] of [
  ['seconds', '120'],
  ['a date', 'Mon, 05 Jan 2026 09:02:00 GMT'],
] as const)
  test(`a receiver that asks for time gets it, as ${form} in Retry-After`, async () => {
    await using gateway = await start()
    await using hook = await receiver(status(429, '', { 'retry-after': header }))
    await subscribe(gateway, hook.url)
    await ring(gateway, ['ding'])
    await run(gateway)
    gateway.clock.advance(119)
    await run(gateway)
    assert.equal(hook.received.length, 1)
    gateway.clock.advance(1)
    await run(gateway)
    assert.equal(hook.received.length, 2)
  })

test('one delivery that its receiver chokes on holds up the others for its first five attempts alone', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  const webhookId = await subscribe(gateway, hook.url)
  const choke = (() => {
    const { received } = hook
    return ((request, response) => (received.at(-1)?.text === 'poison' ? status(500) : well)(request, response)) as typeof hook.answer
  })()
  hook.answer = choke
  await ring(gateway, ['poison', 'good'])
  for (const seconds of [0, 10, 20, 40, 80]) {
    gateway.clock.advance(seconds)
    await run(gateway)
  }
  assert.deepEqual(hook.texts(), [...Array(5).fill('poison'), 'good'])
  hook.answer = well
  gateway.clock.advance(160)
  await run(gateway)
  assert.equal(hook.texts().at(-1), 'poison')
  assert.deepEqual(
    (await deliveriesOf(gateway, webhookId)).map(({ state }) => state),
    ['delivered', 'delivered'],
  )
})

test('a receiver that hangs holds up no other, of its tenant or of another one', async () => {
  await using gateway = await start({ timeoutSeconds: 5 })
  await using hanging = await receiver(() => {})
  await using prompt = await receiver()
  await using other = await receiver()
  await subscribe(gateway, hanging.url)
  await subscribe(gateway, prompt.url)
  await subscribe(gateway, other.url, {}, { as: operatorOf('acme') })
  await ring(gateway, ['ding'])
  await ring(gateway, ['dong'], { as: operatorOf('acme') })
  let over = false
  const running = run(gateway).then(() => (over = true))
  while (prompt.received.length === 0 || other.received.length === 0) await new Promise(setImmediate)
  assert.equal(over, false, 'it still waits for the one that hangs')
  assert.deepEqual([prompt.texts(), other.texts()], [['ding'], ['dong']])
  hanging.answer = well
  await running
})

test('a tenant has a share of deliveries under way, and what finds none is delivered by a later run', async () => {
  await using gateway = await start({ atOncePerTenant: 1 })
  await using one = await receiver()
  await using two = await receiver()
  await subscribe(gateway, one.url)
  await subscribe(gateway, two.url)
  await ring(gateway, ['ding'])
  await run(gateway)
  assert.equal(one.received.length + two.received.length, 1)
  await run(gateway)
  assert.deepEqual([one.texts(), two.texts()], [['ding'], ['ding']])
})

test('two that deliver at the same time send nothing twice', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  await subscribe(gateway, hook.url)
  await ring(gateway, ['a', 'b', 'c'])
  await Promise.all([run(gateway), run(gateway), run(gateway)])
  assert.deepEqual(hook.texts(), ['a', 'b', 'c'])
})

test('what was held by a process that is no more goes on when its time is over', async () => {
  await using gateway = await start({ timeoutSeconds: 5 })
  await using hook = await receiver(() => {})
  await subscribe(gateway, hook.url)
  await ring(gateway, ['ding'])
  const hangs = run(gateway)
  while (hook.received.length === 0) await new Promise(setImmediate)
  gateway.clock.advance(19)
  await run(gateway)
  assert.equal(hook.received.length, 1)
  hook.answer = well
  gateway.clock.advance(1)
  await run(gateway)
  assert.deepEqual(hook.texts(), ['ding', 'ding'])
  await hangs
  await run(gateway)
  assert.deepEqual(hook.texts(), ['ding', 'ding'], 'whoever comes back late changes nothing')
})

test('what is too large for the limit comes without its data, and says how large it is', async () => {
  await using gateway = await start({ maxPayloadBytes: 1_024 })
  await using hook = await receiver()
  await subscribe(gateway, hook.url)
  await ring(gateway, ['x'.repeat(2_000)])
  await run(gateway)
  const { data, omittedBytes } = JSON.parse(hook.received[0]?.body ?? '')
  assert.deepEqual([data, omittedBytes], [null, JSON.stringify({ text: 'x'.repeat(2_000) }).length])
})

test('a suspended tenant is delivered nothing until it is active again', async () => {
  await using gateway = await start()
  await using hook = await receiver()
  const { tenantId } = await gateway.tenants.create({ name: 'Acme', plan: 'team' })
  const as = operatorOf(tenantId)
  await subscribe(gateway, hook.url, {}, { as })
  await ring(gateway, ['ding'], { as })
  await gateway.tenants.suspend(tenantId)
  await run(gateway)
  assert.deepEqual(hook.texts(), [])
  await gateway.tenants.reactivate(tenantId)
  await run(gateway)
  assert.deepEqual(hook.texts(), ['ding'])
})
