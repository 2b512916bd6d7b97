import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { MAX_LINE_BYTES } from '../src/bridge.ts'
import {
  event,
  initialize,
  json,
  notice,
  openBridge,
  type Received,
  request,
  result,
  scriptedService,
  sessions,
  stateless,
  stream,
} from './bridge-fixture.ts'

const of =
  (method: string, httpMethod = 'POST') =>
  (received: Received) =>
    received.method === httpMethod && (httpMethod !== 'POST' || received.message.method === method)

test('what initialize agreed on stands in the headers of all that follows, and the session is ended in the end', async (t) => {
  const state = { opened: 0 }
  const service = await scriptedService(t, (received) => {
    if (!sessions(received, state)) json(received.response, result(received.message.id))
  })
  const client = openBridge(t, service.url)
  client.send(initialize(), notice('notifications/initialized'), request('a', 'tools/list'))
  assert.equal((await client.answer(0)).result.protocolVersion, '2025-11-25')
  assert.deepEqual(await client.answer('a'), result('a'))
  await client.end()
  assert.deepEqual(
    service.received
      .filter(({ method }) => method !== 'GET')
      .map(({ method, message, headers }) => [message?.method ?? method, headers['mcp-session-id'], headers['mcp-protocol-version']]),
    [
      ['initialize', undefined, undefined],
      ['notifications/initialized', 's1', '2025-11-25'],
      ['tools/list', 's1', '2025-11-25'],
      ['DELETE', 's1', '2025-11-25'],
    ],
  )
  assert.deepEqual(client.complaints, [])
})

test('a session is opened anew when the service has forgotten it: once, with what the client said and set, unseen by the client', async (t) => {
  const state = { opened: 0 }
  const service = await scriptedService(t, (received) => {
    if (sessions(received, state)) return
    const { headers, message, response } = received
    if (headers['mcp-session-id'] === `s${state.opened}`) json(response, result(message.id))
    else json(response, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'gone' } }, 404)
  })
  const client = openBridge(t, service.url)
  client.send(initialize('first'), notice('notifications/initialized'))
  await client.answer('first')
  client.send(request(1, 'logging/setLevel', { level: 'debug' }), request(2, 'resources/subscribe', { uri: 'a:' }))
  client.send(request(3, 'resources/subscribe', { uri: 'b:' }), request(4, 'resources/unsubscribe', { uri: 'b:' }))
  await Promise.all([1, 2, 3, 4].map((id) => client.answer(id)))
  state.opened++
  const before = service.received.length
  client.send(...Array.from({ length: 50 }, (_, n) => request(`call ${n}`, 'tools/call')))
  for (let n = 0; n < 50; n++) assert.deepEqual(await client.answer(`call ${n}`), result(`call ${n}`))
  assert.deepEqual(client.unread, [])
  const again = service.received.slice(before).filter(({ method, message }) => method === 'POST' && message.method !== 'tools/call')
  assert.deepEqual(
    again.map(({ message }) => message.method),
    ['initialize', 'notifications/initialized', 'logging/setLevel', 'resources/subscribe'],
  )
  assert.deepEqual(again[0]?.message, initialize('first'))
  assert.equal(again[3]?.message.params.uri, 'a:')
})

test('messages of an event stream come one by one before the answer; a stream that is cut off goes on where it ended', async (t) => {
  const state = { opened: 0 }
  const service = await scriptedService(t, (received) => {
    const { method, headers, response, message } = received
    if (method === 'GET' && headers['last-event-id'] === 'c_1') {
      return stream(response, event(notice('notifications/message', { n: 2 }), 'c_2'), event(result('slow', { done: true }), 'c_3'))
    }
    if (sessions(received, state)) return
    stream(response, `id: c_0\nretry: 10\ndata: \n\n`, event(notice('notifications/message', { n: 1 }), 'c_1'))
    assert.equal(message.id, 'slow')
  })
  const client = openBridge(t, service.url)
  client.send(initialize(), request('slow', 'tools/call'))
  assert.deepEqual((await client.take(({ method }) => method === 'notifications/message')).params, { n: 1 })
  ;(await service.asked(of('tools/call'))).response.destroy()
  assert.deepEqual((await client.take(({ method }) => method === 'notifications/message')).params, { n: 2 })
  assert.deepEqual(await client.answer('slow'), result('slow', { done: true }))
})

test('an answer that is lost is an error: what may have been executed is not sent again', async (t) => {
  const service = await scriptedService(t, ({ response, message }) => {
    if (message.id === 'cut') response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc"')
    if (message.id === 'stream') stream(response, event(notice('notifications/message')))
    setImmediate(() => response.destroy())
  })
  const client = openBridge(t, service.url)
  for (const id of ['none', 'cut', 'stream']) {
    client.send(request(id, 'tools/call'))
    const { error } = await client.answer(id)
    assert.deepEqual([error.code, /lost before the answer came.*may have been executed/.test(error.message)], [-32603, true], error.message)
  }
  client.send(stateless('modern', 'tools/list'))
  assert.equal((await client.answer('modern')).error.code, -32603)
  assert.equal(service.received.length, 4)
})

test('requests wait while the service says that it takes none', async (t) => {
  let refusals = 3
  const service = await scriptedService(t, ({ response, message }) => {
    if (refusals-- > 0)
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'stopping' } }, 503, { 'retry-after': '1' })
    else json(response, result(message.id))
  })
  const client = openBridge(t, service.url)
  client.send(request(1, 'tools/call'))
  assert.deepEqual(await client.answer(1), result(1))
})

test('a service that does not come is an error which says how to start one, when the patience is over', async (t) => {
  const service = await scriptedService(t, () => undefined)
  service.server.close()
  const client = openBridge(t, service.url, { patienceMs: 100 })
  client.send(request(1, 'tools/call'), stateless(2, 'tools/list'), initialize(3), notice('notifications/initialized'))
  for (const id of [1, 2, 3]) {
    const { error } = await client.answer(id)
    assert.match(error.message, /^No gateway answers at .* \(ECONNREFUSED\)\. Start one with `gateway start`/)
  }
})

test('a refusal before the request was read gets the request’s id; an answer that is none is said to be none', async (t) => {
  const service = await scriptedService(t, ({ response, message }) => {
    if (message.id === 1)
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no', data: { code: 'UNAUTHORIZED' } } }, 401)
    else if (message.id === 2) response.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
    else json(response, result('of another request'))
  })
  const client = openBridge(t, service.url)
  client.send(request(1, 'tools/call'), request(2, 'tools/call'), request(3, 'tools/call'))
  assert.deepEqual((await client.answer(1)).error, { code: -32000, message: 'no', data: { code: 'UNAUTHORIZED' } })
  assert.match((await client.answer(2)).error.message, /does not answer like a gateway \(status 502/)
  assert.match((await client.answer(3)).error.message, /no answer to the request/)
})

test('what the service says unasked reaches the client, and its requests come back answered; a cut stream is taken up', async (t) => {
  const state = { opened: 0 }
  let gets = 0
  const service = await scriptedService(t, (received) => {
    if (received.method !== 'GET') return void sessions(received, state)
    gets++
    if (gets === 1) stream(received.response, 'retry: 10\n\n', event(request('q1', 'roots/list'), 'u_1'))
    else stream(received.response, event(notice('notifications/tools/list_changed'), 'u_2'))
  })
  const client = openBridge(t, service.url)
  client.send(initialize(), notice('notifications/initialized'))
  await client.take(({ method }) => method === 'roots/list')
  client.send(result('q1', { roots: [] }))
  const answered = await service.asked(({ method, message }) => method === 'POST' && message.id === 'q1')
  assert.deepEqual([answered.message.result, answered.headers['mcp-session-id']], [{ roots: [] }, 's1'])
  ;(await service.asked(of('', 'GET'))).response.destroy()
  await client.take(({ method }) => method === 'notifications/tools/list_changed')
  assert.equal(service.received.filter(of('', 'GET'))[1]?.headers['last-event-id'], 'u_1')
})

test('a cancellation reaches the service in the session, and nothing is said about the request any more', async (t) => {
  const state = { opened: 0 }
  const service = await scriptedService(t, (received) => void sessions(received, state))
  const client = openBridge(t, service.url)
  client.send(initialize(), notice('notifications/initialized'), request(7, 'tools/call'))
  await client.answer(0)
  const { response } = await service.asked(of('tools/call'))
  client.send(notice('notifications/cancelled', { requestId: 7, reason: 'enough' }))
  assert.deepEqual((await service.asked(of('notifications/cancelled'))).message.params, { requestId: 7, reason: 'enough' })
  json(response, result(7))
  client.send(notice('notifications/cancelled', { requestId: 99 }), initialize('after'))
  await client.answer('after')
  assert.deepEqual(client.unread, [])
  assert.equal(service.received.filter(of('notifications/cancelled')).length, 1)
})

test('of a batch without a session one request can be cancelled, the others go on', async (t) => {
  const service = await scriptedService(t, () => undefined)
  const client = openBridge(t, service.url)
  client.send(JSON.stringify([request('a', 'ping'), request('b', 'ping')]))
  const { response } = await service.asked(({ message }) => Array.isArray(message))
  client.send(notice('notifications/cancelled', { requestId: 'a' }), request('c', 'ping'))
  await service.asked(of('ping'))
  json(response, [result('a'), result('b')])
  assert.deepEqual(await client.take(Array.isArray), [result('a'), result('b')])
})

test('a client that initializes again has the session before it ended', async (t) => {
  const state = { opened: 0 }
  const service = await scriptedService(t, (received) => void sessions(received, state))
  const client = openBridge(t, service.url)
  client.send(initialize(1), initialize(2))
  await client.answer(2)
  assert.equal((await service.asked(of('', 'DELETE'))).headers['mcp-session-id'], 's1')
})

for (const [era, call] of [
  ['without a session', request],
  ['without handshake', stateless],
] as const) {
  test(`${era} a cancellation hangs up`, async (t) => {
    const service = await scriptedService(t, ({ message, response }) => {
      if (message.method === 'tools/list') json(response, result(message.id, { tools: [] }))
    })
    const client = openBridge(t, service.url)
    client.send(call(7, 'tools/call', { name: 'x' }))
    const { response } = await service.asked(of('tools/call'))
    const closed = once(response, 'close')
    client.send(notice('notifications/cancelled', { requestId: 7 }))
    await closed
    assert.deepEqual(client.unread, [])
    assert.equal(service.received.filter(of('notifications/cancelled')).length, 0)
  })
}

test('requests without handshake carry in their headers what their bodies say', async (t) => {
  const marked = { type: 'object', properties: { where: { type: 'string', 'x-mcp-header': 'Where' } } }
  const service = await scriptedService(t, ({ message, response }) => {
    const tools = message.params.cursor ? [{ name: 'marked', inputSchema: marked }] : []
    const page = message.params.cursor ? { tools } : { tools, nextCursor: 'more' }
    json(response, result(message.id, message.method === 'tools/list' ? page : {}))
  })
  const client = openBridge(t, service.url)
  client.send(
    stateless(1, 'server/discover'),
    stateless(2, 'resources/read', { uri: 'note://ü' }),
    stateless(3, 'tools/call', { name: 'marked', arguments: { where: 'here' } }),
    stateless(4, 'tools/call', { name: 'marked', arguments: { where: null } }),
    stateless(5, 'tasks/get', { taskId: 't1' }),
    stateless(6, 'bad\nmethod'),
  )
  for (const id of [1, 2, 3, 4, 5, 6]) await client.answer(id)
  const headersOf = (id: number) => {
    const headers = service.received.find(({ message }) => message.id === id && message.method !== 'tools/list')?.headers ?? {}
    return ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-param-where', 'mcp-session-id'].map((name) => headers[name])
  }
  const version = '2026-07-28'
  assert.deepEqual(headersOf(1), [version, 'server/discover', undefined, undefined, undefined])
  assert.deepEqual(headersOf(2), [version, 'resources/read', '=?base64?bm90ZTovL8O8?=', undefined, undefined])
  assert.deepEqual(headersOf(3), [version, 'tools/call', 'marked', 'here', undefined])
  assert.deepEqual(headersOf(4), [version, 'tools/call', 'marked', undefined, undefined])
  assert.deepEqual(headersOf(5), [version, 'tasks/get', 't1', undefined, undefined])
  assert.deepEqual(headersOf(6), [version, undefined, undefined, undefined, undefined])
  assert.equal(service.received.filter(of('tools/list')).length, 2, 'both pages, once')
})

test('a tool whose marked arguments have changed is looked at again', async (t) => {
  let name = 'Old'
  const service = await scriptedService(t, ({ message, headers, response }) => {
    const inputSchema = { type: 'object', properties: { x: { type: 'integer', 'x-mcp-header': name } } }
    if (message.method === 'tools/list') json(response, result(message.id, { tools: [{ name: 'tool', inputSchema }] }))
    else if (headers[`mcp-param-${name.toLowerCase()}`] === '1') json(response, result(message.id))
    else json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32020, message: 'header mismatch' } }, 400)
  })
  const client = openBridge(t, service.url)
  const call = (id: number, x: number): object => stateless(id, 'tools/call', { name: 'tool', arguments: { x } })
  client.send(call(1, 1))
  assert.deepEqual(await client.answer(1), result(1))
  name = 'New'
  client.send(call(2, 1), call(3, 2))
  assert.deepEqual(await client.answer(2), result(2))
  assert.equal((await client.answer(3)).error.code, -32020, 'a second mismatch is the answer')
})

test('a subscription without handshake is forwarded; when the service is lost it is ended as over standard streams', async (t) => {
  const service = await scriptedService(t, ({ message: { id }, response }) => {
    stream(response, event(notice('notifications/subscriptions/acknowledged', { of: id })))
    if (id === 'graceful') stream(response, event(result(id)))
  })
  const client = openBridge(t, service.url)
  client.send(stateless('graceful', 'subscriptions/listen'), stateless('lost', 'subscriptions/listen'))
  assert.deepEqual(await client.answer('graceful'), result('graceful'))
  await client.take(({ params }) => params?.of === 'lost')
  ;(await service.asked(({ message }) => message.id === 'lost')).response.destroy()
  assert.equal((await client.take(({ method }) => method === 'notifications/cancelled')).params.requestId, 'lost')
})

test('garbage, too long lines and messages that are none are answered, and the next line is served', async (t) => {
  const service = await scriptedService(t, ({ message, response }) => json(response, result(message.id)))
  const client = openBridge(t, service.url)
  client.send('{oops', '', '   ', '[]', '17', '{"jsonrpc":"2.0","id":5,"method":6}', 'x'.repeat(MAX_LINE_BYTES + 1))
  client.send(request(1, 'ping'))
  assert.deepEqual(await client.answer(1), result(1))
  assert.deepEqual(
    client.unread.map(({ id, error }) => [id, error.code]),
    [
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [5, -32600],
      [null, -32600],
    ],
  )
  assert.equal(service.received.length, 1)
})

test('a batch is forwarded whole, and its answers are those of its requests', async (t) => {
  const service = await scriptedService(t, ({ message, response }) => {
    if (message.length === 1) return json(response, undefined, 202)
    if (message[0].id === 'a') json(response, [result('a'), result('b')])
    else response.destroy()
  })
  const client = openBridge(t, service.url)
  const batch = (...messages: readonly object[]): string => JSON.stringify(messages)
  client.send(
    batch(request('a', 'ping'), request('b', 'ping')),
    batch(notice('notifications/x')),
    batch(request('c', 'ping'), request('d', 'ping')),
  )
  assert.deepEqual(await client.take(Array.isArray), [result('a'), result('b')])
  for (const id of ['c', 'd']) assert.equal((await client.answer(id)).error.code, -32603)
})

test('a batch of malformed messages is answered under the ids that can be read', async (t) => {
  const refused = { jsonrpc: '2.0', id: 7, error: { code: -32600, message: 'Invalid request' } }
  const service = await scriptedService(t, ({ response }) => json(response, [refused]))
  const client = openBridge(t, service.url)
  client.send(JSON.stringify([{ jsonrpc: '2.0', id: 7, method: 5 }]))
  assert.deepEqual(await client.take(Array.isArray), [refused])
})

test('an answer with line breaks becomes one line', async (t) => {
  const service = await scriptedService(t, ({ message, response }) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result(message.id, { text: 'a\nb' }), null, 2))
  })
  const client = openBridge(t, service.url)
  client.send(request(1, 'ping'))
  assert.deepEqual(await client.answer(1), result(1, { text: 'a\nb' }))
})

test('a client that sends without end is refused beyond a bound, and one that does not read is not read', async (t) => {
  const service = await scriptedService(t, () => undefined)
  const client = openBridge(t, service.url)
  client.send(...Array.from({ length: 1_030 }, (_, n) => request(n, 'tools/call')))
  assert.match((await client.answer(1_029)).error.message, /^Too many requests at once: at most 1024/)
  assert.equal(client.unread.length, 5)

  const output = new PassThrough()
  const silent = openBridge(t, service.url, { output })
  const garbage = 'x'.repeat(1_000)
  for (let n = 0; n < 40_000; n++) silent.send(garbage)
  while (output.writableLength + output.readableLength <= 2 ** 20) await immediate()
  for (let turn = 0; turn < 100; turn++) await immediate()
  assert.ok(output.writableLength + output.readableLength < 2 * 2 ** 20, `${output.writableLength} bytes wait`)
  output.resume()
})

test('when the reader leaves, the bridge ends, and says goodbye to the service', async (t) => {
  const state = { opened: 0 }
  const service = await scriptedService(t, (received) => void sessions(received, state))
  const output = new PassThrough()
  const client = openBridge(t, service.url, { output })
  client.send(initialize(), request(1, 'tools/call'))
  await service.asked(of('tools/call'))
  output.destroy()
  await service.asked(of('', 'DELETE'))
  await client.end()
})
