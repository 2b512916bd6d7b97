import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { send } from '../../http/test/requests.ts'
import { transportFixture } from '../../http/test/transport-plugin.ts'
import { openSession, post, request } from './rpc.ts'

const transport = transportFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [transport.plugin], listen: true })
})
after(() => gateway.stop())

const ends = (headers: Record<string, string>) => send(`${gateway.url}/mcp`, { method: 'DELETE', headers })

test('a call with a session that does not exist is 404', async () => {
  const { status, json } = await post(gateway, request('ping'), { 'mcp-session-id': 'none' })
  assert.deepEqual([status, json.id, json.error.code], [404, 1, -32001])
})

test('DELETE ends a session, once, and what is not named cannot be ended', async () => {
  const session = await openSession(gateway)
  assert.equal((await post(gateway, request('ping'), session)).status, 200)
  assert.equal((await ends(session)).status, 204)
  assert.equal((await post(gateway, request('ping'), session)).status, 404)
  assert.equal((await ends(session)).status, 404)
  assert.equal((await ends({})).status, 400)
})

test('a session is initialized once', async () => {
  const again = request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }, 'again')
  const { status, json, session } = await post(gateway, again, await openSession(gateway))
  assert.deepEqual([status, json.id, json.error.code, session], [400, 'again', -32600, null])
})

test('a day of silence ends a session, use prolongs it', async () => {
  const [used, idle] = [await openSession(gateway), await openSession(gateway)]
  const pinged = async (headers: Record<string, string>) => (await post(gateway, request('ping'), headers)).status
  gateway.clock.advance(20 * 3_600)
  assert.equal(await pinged(used), 200)
  gateway.clock.advance(5 * 3_600)
  assert.deepEqual([await pinged(used), await pinged(idle)], [200, 404])
})

test('the hour after which memory lets a session go begins when a stream has ended', async () => {
  const session = await openSession(gateway)
  const speaking = request('tools/call', { name: 'transport_wait', arguments: { steps: 1 }, _meta: { progressToken: 1 } })
  const called = post(gateway, speaking, { ...session, accept: 'text/event-stream' })
  await transport.arrived(1)
  gateway.clock.advance(3_000)
  transport.release()
  const place = (await called).text.match(/id: (1_0)/)?.[1]
  await post(gateway, request('ping'))
  gateway.clock.advance(3_000)
  const again = await send(`${gateway.url}/mcp`, { headers: { ...session, accept: 'text/event-stream', 'last-event-id': place ?? '' } })
  assert.equal(again.status, 200, 'what it kept for its client is still there')
})

test('a cancellation reaches the call of its own session alone, though the ids are equal', async () => {
  const [one, two] = [await openSession(gateway), await openSession(gateway)]
  const wait = request('tools/call', { name: 'transport_wait' }, 'same')
  const calls = [post(gateway, wait, one), post(gateway, wait, two), post(gateway, wait)]
  await transport.arrived(3)
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'same', reason: 'enough' } }
  assert.equal((await post(gateway, cancel)).status, 202)
  assert.equal((await post(gateway, cancel, two)).status, 202)
  const cancelled = await calls[1]
  assert.deepEqual([cancelled?.status, cancelled?.text, transport.waiting.size], [202, '', 2])
  transport.release()
  for (const call of [calls[0], calls[2]]) assert.deepEqual((await call)?.json.result.structuredContent, { why: 'released' })
})

test('one request of a batch can be cancelled, the others are answered', async () => {
  const session = await openSession(gateway, '2025-03-26')
  const batch = post(
    gateway,
    [request('tools/call', { name: 'transport_wait' }, 1), request('tools/call', { name: 'transport_wait' }, '1')],
    session,
  )
  await transport.arrived(2)
  await post(gateway, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, session)
  while (transport.waiting.size > 1) await new Promise((resolve) => setImmediate(resolve))
  transport.release()
  assert.deepEqual(
    (await batch).json.map(({ id }: { id: unknown }) => id),
    ['1'],
  )
})

test('progress needs a token and a client that takes event streams; otherwise the answer is plain JSON', async () => {
  const cases: [object, string, boolean][] = [
    [{ _meta: { progressToken: 't' } }, 'application/json, text/event-stream', true],
    [{ _meta: { progressToken: 0 } }, 'text/event-stream', true],
    [{ _meta: { progressToken: 't' } }, 'application/json', false],
    [{ _meta: { progressToken: {} } }, 'application/json, text/event-stream', false],
    [{}, 'application/json, text/event-stream', false],
  ]
  for (const [extra, accept, streams] of cases) {
    const call = post(gateway, request('tools/call', { name: 'transport_wait', arguments: { steps: 2 }, ...extra }), { accept })
    await transport.arrived(1)
    transport.release()
    const { status, headers, text } = await call
    assert.deepEqual([status, headers.get('content-type')?.startsWith('text/event-stream')], [200, streams], JSON.stringify(extra))
    const events = text.split('\n\n').filter((event) => event.startsWith('event: message\ndata: '))
    assert.equal(events.length, streams ? 3 : 0)
    if (streams) assert.deepEqual([headers.get('x-content-type-options'), headers.has('x-request-id')], ['nosniff', true])
  }
})

test('a call that reports no progress is answered as JSON even when it might have streamed', async () => {
  const { headers, json } = await post(gateway, request('tools/call', { name: 'transport_operate', _meta: { progressToken: 1 } }), {
    accept: 'text/event-stream',
  })
  assert.deepEqual([headers.get('content-type'), json.result.structuredContent], ['application/json; charset=utf-8', { ok: true }])
})

test('a client that hangs up in the middle of a stream ends its call', async () => {
  const away = new AbortController()
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    signal: away.signal,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(request('tools/call', { name: 'transport_wait', arguments: { steps: 1 }, _meta: { progressToken: 1 } })),
  })
  assert.equal(response.status, 200)
  away.abort()
  await transport.gone()
})
