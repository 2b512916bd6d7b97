import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { historyOf, receiver, start } from './support.ts'

test('an alert of any family goes to every enabled channel, and into the history of its tenant', async () => {
  await using server = await receiver()
  await using gateway = await start({ team: server.chat(), hook: server.webhook() })
  await gateway.call('alarm_raise', { message: 'It burns' })
  const [entry] = await historyOf(gateway, 1)
  assert.deepEqual([entry?.kind, entry?.results.map(({ status }) => status), entry?.nextTryAt], ['alert', ['sent', 'sent'], undefined])
  assert.ok(server.received.some(({ body }) => body.text === '🚨 Fire\nIt burns\n(alarm)'))
})

test('an alert that a channel did not take is sent to it again, and to no other, until it is taken', async () => {
  let works = false
  await using broken = await receiver((_request, response) => void response.writeHead(works ? 200 : 503).end())
  await using server = await receiver()
  await using gateway = await start({ broken: broken.webhook(), good: server.webhook() })
  await gateway.call('alarm_raise', { message: 'It burns' })
  const [failed] = await historyOf(gateway, 1)
  assert.equal(failed?.results.find(({ channel }) => channel === 'broken')?.status, 'failed')
  assert.ok(failed?.nextTryAt)
  await gateway.runJob('notifications.retry')
  assert.equal(broken.received.length, 1, 'it is not yet time')
  works = true
  await gateway.restart()
  gateway.clock.advance(30)
  await gateway.runJob('notifications.retry')
  const [entry] = await historyOf(gateway, 1)
  assert.deepEqual([entry?.results.map(({ status }) => status), entry?.nextTryAt], [['sent', 'sent'], undefined])
  assert.deepEqual([broken.received.length, server.received.length], [2, 1])
})

test('a channel that refuses an alert for good is not tried again; one that never takes it is given up in the end', async () => {
  await using refusing = await receiver((_request, response) => void response.writeHead(400).end())
  await using broken = await receiver((_request, response) => void response.writeHead(503).end())
  await using gateway = await start({ refusing: refusing.webhook(), broken: broken.webhook() }, { alertAttempts: 3 })
  await gateway.call('alarm_raise', { message: 'It burns' })
  await historyOf(gateway, 1)
  for (let i = 0; i < 5; i++) {
    gateway.clock.advance(3_600)
    await gateway.runJob('notifications.retry')
  }
  assert.deepEqual([refusing.received.length, broken.received.length], [1, 3])
  assert.equal((await historyOf(gateway, 1))[0]?.nextTryAt, undefined)
})

test('a channel that hangs keeps no alert from being sent again to another', { timeout: 30_000 }, async () => {
  let round = 0
  const first: RequestListener = (_request, response) => void response.writeHead(503).end()
  await using hanging = await receiver((request, response) => (round === 0 ? first(request, response) : undefined))
  await using good = await receiver((request, response) => (round === 0 ? first(request, response) : void response.end()))
  await using gateway = await start({ hanging: hanging.webhook(), good: good.webhook() }, { timeoutSeconds: 60 })
  await gateway.call('alarm_raise', { message: 'It burns', times: 3 })
  await historyOf(gateway, 3)
  round = 1
  gateway.clock.advance(30)
  const run = gateway.runJob('notifications.retry')
  while (good.received.length < 6 || hanging.received.length < 6) await new Promise(setImmediate)
  hanging.cut()
  await run
  const entries = await historyOf(gateway, 3)
  assert.deepEqual(
    entries.map(({ results }) => results.find(({ channel }) => channel === 'good')?.status),
    ['sent', 'sent', 'sent'],
  )
})

test('of a storm of alerts a share goes out, and the next one says how many did not', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() }, { perMinute: 3 })
  await gateway.call('alarm_raise', { message: 'It burns', times: 50 })
  await historyOf(gateway, 3)
  assert.equal(server.received.length, 3)
  assert.equal(gateway.logs.filter(({ msg }) => msg === 'alert').length, 50)
  gateway.clock.advance(60)
  await gateway.call('alarm_raise', { message: 'Still' })
  const [newest] = await historyOf(gateway, 4)
  assert.match(newest?.message ?? '', /^Still\n\(47 alerts before this one were held back/)
})

test('an alert of another tenant says whose it is, and stands in that tenant’s history alone', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() })
  await gateway.call('alarm_raise', { message: 'It burns' }, { as: { tenantId: 'acme' } })
  while (server.received.length === 0) await new Promise(setImmediate)
  assert.equal(server.received[0]?.body.title, '[acme] Fire')
  assert.deepEqual(await gateway.call('notifications_history'), { notifications: [] })
})

test('what a synthetic tenant comes upon is nobody’s alert', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() })
  await gateway.call('alarm_raise', { message: 'Only a trial' }, { as: { tenantId: 'synthetic.trial' } })
  await gateway.call('alarm_raise', { message: 'It burns' })
  await historyOf(gateway, 1)
  assert.deepEqual(
    server.received.map(({ body }) => body.message),
    ['It burns'],
  )
})
