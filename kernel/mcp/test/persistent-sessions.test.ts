import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { send } from '../../http/test/requests.ts'
import { events } from './events.ts'
import { call, openSession, post, request } from './rpc.ts'
import { talkFixture } from './talk-plugin.ts'
import { addTenants, SESSION_SECRET, userOf } from './tokens.ts'

const talk = talkFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [talk.plugin], listen: true, env: { GATEWAY_JWT_SECRET: SESSION_SECRET } })
})
after(() => gateway.stop())

type Headers = Record<string, string>
const pinged = async (headers: Headers) => (await post(gateway, request('ping'), headers)).status
const updated = (uri: string) => ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })

test('a session goes on after a restart, with its capabilities, log level and subscriptions', async () => {
  const headers = await openSession(gateway, '2025-11-25', {}, { roots: {} })
  await post(gateway, request('logging/setLevel', { level: 'warning' }), headers)
  for (const uri of ['talk://note', 'talk://colours/red']) await post(gateway, request('resources/subscribe', { uri }), headers)
  await post(gateway, request('resources/unsubscribe', { uri: 'talk://colours/red' }), headers)
  await gateway.restart()
  const log = await events(gateway, { headers, body: call('talk_log', { levels: ['info', 'warning'] }) })
  const said = (await log.rest()).map(({ data }) => data.params?.level).filter(Boolean)
  assert.deepEqual(said, ['warning'])
  const stream = await events(gateway, { headers })
  assert.equal((await stream.next())?.data, '')
  for (const uri of ['talk://colours/red', 'talk://note']) await post(gateway, call('talk_touch', { uri }), headers)
  assert.deepEqual((await stream.next())?.data, updated('talk://note'))
  stream.cut()
})

test('what its client can do is known after a restart', async () => {
  const headers = {
    ...(await openSession(gateway, '2025-11-25', {}, { roots: {}, sampling: {} })),
    accept: 'application/json, text/event-stream',
  }
  const abilities = async () => (await post(gateway, call('talk_can'), headers)).json.result.structuredContent.abilities as string[]
  const before = await abilities()
  await gateway.restart()
  assert.deepEqual([before, await abilities()], [['sampling', 'roots', 'tasks'], before])
})

test('who listened before a restart goes on listening after it, from the event it saw last', async () => {
  const headers = await openSession(gateway)
  await post(gateway, request('resources/subscribe', { uri: 'talk://note' }), headers)
  const before = await events(gateway, { headers })
  await before.next()
  await post(gateway, call('talk_touch', { uri: 'talk://note' }), headers)
  const last = (await before.next())?.id
  assert.equal(last, '0_1')
  before.cut()
  await gateway.restart()
  const again = await events(gateway, { headers: { ...headers, 'last-event-id': last ?? '' } })
  const place = (await again.next())?.id
  await post(gateway, call('talk_touch', { uri: 'talk://note' }), headers)
  const heard = await again.next()
  assert.deepEqual(heard?.data, updated('talk://note'))
  assert.notEqual(heard?.id, last, 'an id is never given twice in a session')
  assert.equal(heard?.id, place?.replace(/_0$/, '_1'))
  again.cut()
  const lost = await events(gateway, { headers: { ...headers, 'last-event-id': '1_1' } })
  assert.equal(lost.status, 400, 'a call that ended with the process has nothing more to say')
})

test('after a restart, too, another caller’s session does not exist', async () => {
  await addTenants(gateway, 'acme', 'other')
  const ann = userOf('acme', 'ann')
  const { 'mcp-session-id': id = '' } = await openSession(gateway, '2025-11-25', ann)
  await gateway.restart()
  const named = { 'mcp-session-id': id }
  for (const other of [userOf('acme', 'bob'), userOf('other', 'ann'), {}]) assert.equal(await pinged({ ...other, ...named }), 404)
  assert.equal(await pinged({ ...ann, ...named }), 200)
})

test('a session that was ended stays ended', async () => {
  const headers = await openSession(gateway)
  assert.equal((await send(`${gateway.url}/mcp`, { method: 'DELETE', headers })).status, 204)
  await gateway.restart()
  assert.equal(await pinged(headers), 404)
  assert.equal((await send(`${gateway.url}/mcp`, { method: 'DELETE', headers })).status, 404)
})

test('a session that is taken up by many requests at once is one session', async () => {
  const headers = await openSession(gateway)
  await gateway.restart()
  const waiting = ['a', 'b', 'c'].map((name) => post(gateway, call('talk_gate', { gate: name }, name), headers))
  for (const name of ['a', 'b', 'c']) await talk.arrived(name)
  for (const requestId of ['a', 'b', 'c']) {
    await post(gateway, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, headers)
  }
  for (const answer of await Promise.all(waiting)) assert.deepEqual([answer.status, answer.text], [202, ''])
})

test('the suspension of a tenant removes its sessions for good', async () => {
  const acme = userOf('suspended')
  await gateway.tenants.create({ name: 'suspended', plan: 'free', tenantId: 'suspended' })
  const headers = await openSession(gateway, '2025-11-25', acme)
  assert.equal(await pinged(headers), 200)
  await gateway.tenants.suspend('suspended', 'a test')
  await gateway.restart()
  await gateway.tenants.reactivate('suspended')
  assert.equal(await pinged(headers), 404)
})
