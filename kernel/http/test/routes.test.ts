import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Tool } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { assertRecord, send } from './requests.ts'
import { transportFixture } from './transport-plugin.ts'

const transport = transportFixture()
let gateway: TestGateway
const call = (path: string, init?: Parameters<typeof send>[1]) => send(gateway.url + path, init)
before(async () => {
  gateway = await startTestGateway({ plugins: [transport.plugin], listen: true })
})
after(() => gateway.stop())

test('every tool answers POST /api/tools/{name} with its result', async () => {
  const { status, json, headers } = await call('/api/tools/transport_echo', { body: { id: 'x' } })
  assert.deepEqual([status, json], [200, { args: { id: 'x', count: 1 } }])
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('no body is no arguments', async () => {
  const inits = [{ method: 'POST' }, { method: 'POST', body: '' }, { body: {} }]
  for (const init of inits) assertRecord(await call('/api/tools/transport_broken', init), 500, 'INTERNAL_ERROR')
  assertRecord(await call('/api/tools/transport_echo', { method: 'POST' }), 400, 'BAD_REQUEST')
})

test('a binding takes arguments from path and query, typed by the schema', async () => {
  const { json } = await call('/api/transport/echo/a%2Fb?count=3&ratio=0.5&flag=false&tags=x&tags=y&numbers=1,2&kind=b&to=me')
  assert.deepEqual(json, { args: { id: 'a/b', count: 3, ratio: 0.5, flag: false, tags: ['x', 'y'], numbers: [1, 2], kind: 'b', to: 'me' } })
})

test('a binding takes arguments from path and body, and answers with its own status of success', async () => {
  const added = await call('/api/transport/notes', { body: { id: 'n1', text: 'one' } })
  assert.deepEqual([added.status, added.json], [201, { note: { id: 'n1', text: 'one', tags: [] } }])
  const edited = await call('/api/transport/notes/n1', { method: 'PATCH', body: { text: 'two' } })
  assert.deepEqual([edited.status, edited.json.note.text], [200, 'two'])
  const viaTools = await call('/api/tools/transport_add', { body: { id: 'n2', text: 'x' } })
  assert.equal(viaTools.status, 200)
  for (const init of [{ method: 'DELETE' }, { method: 'DELETE', body: { reason: 'done' } }]) {
    assert.equal((await call('/api/transport/notes/n1', init)).status, 200)
  }
})

test('values that do not fit, unknown names and missing ones are refused by name', async () => {
  const cases: [string, string][] = [
    ['/api/transport/echo/x?count=abc', 'count'],
    ['/api/transport/echo/x?count=1.5', 'count'],
    ['/api/transport/echo/x?count=1&count=2', 'count'],
    ['/api/transport/echo/x?flag=maybe', 'flag'],
    ['/api/transport/echo/x?numbers=1,b', 'numbers'],
    ['/api/transport/echo/x?kind=c', 'kind'],
    ['/api/transport/echo/x?colour=red', 'colour'],
    ['/api/transport/ask', 'asked'],
    ['/api/transport/report/soon', 'year'],
  ]
  for (const [path, name] of cases) {
    const read = await call(path)
    assertRecord(read, 400, 'BAD_REQUEST')
    assert.match(read.json.error, new RegExp(name))
  }
})

test('one name with two values is refused by name', async () => {
  const twice = await call('/api/transport/notes/n9', { method: 'PATCH', body: { id: 'other', text: 'x' } })
  assertRecord(twice, 400, 'BAD_REQUEST')
  assert.equal(twice.json.details.field, 'id')
})

test('a declared error answers with its status, code and details', async () => {
  const refused = await call('/api/transport/ask?asked=4')
  assertRecord(refused, 429, 'FACE_TOO_MANY')
  assert.deepEqual(refused.json.details, { asked: 4 })
})

test('an undeclared error says nothing of itself to the caller, and everything to the log', async () => {
  const broken = await call('/api/transport/broken')
  assertRecord(broken, 500, 'INTERNAL_ERROR')
  assert.doesNotMatch(broken.text, /secret/)
  const line = gateway.logs.find(({ requestId }) => requestId === broken.json.requestId)
  assert.match(JSON.stringify(line), /secret of the plugin/)
  assert.deepEqual([line?.plugin, line?.operation], ['transport', 'transport_broken'])
})

test('a plain route has its path and is no tool', async () => {
  assert.deepEqual((await call('/api/transport/report/2026')).json, { year: 2026 })
  assertRecord(await call('/api/tools/transport.report', { body: { year: 2026 } }), 404, 'UNKNOWN_TOOL')
})

test('GET /api/tools lists every tool with its plugin, capability, effect and input', async () => {
  const { json } = await call('/api/tools')
  assert.equal(json.count, transport.plugin.tools.length)
  assert.deepEqual(
    json.tools.map((tool: { name: string }) => tool.name),
    transport.plugin.tools.map((tool) => tool.name),
  )
  const { inputSchema, ...add } = json.tools.find((tool: { name: string }) => tool.name === 'transport_add')
  assert.deepEqual(add, { name: 'transport_add', description: 'Add a note.', plugin: 'transport', capability: 'work', effect: 'write' })
  assert.deepEqual([inputSchema.type, inputSchema.required], ['object', ['id', 'text']])
})

test('no cache may keep an answer', async () => {
  for (const path of ['/api/tools', '/api/transport/ask?asked=1', '/health', '/nowhere'])
    assert.equal((await call(path)).headers.get('cache-control'), 'no-store')
})

test('HEAD is GET without its body', async () => {
  const head = await call('/api/transport/ask?asked=1', { method: 'HEAD' })
  const get = await call('/api/transport/ask?asked=1')
  assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', get.headers.get('content-length')])
})

test('the call ends when its client goes away', async () => {
  const away = new AbortController()
  const gone = fetch(`${gateway.url}/api/transport/wait`, { method: 'POST', signal: away.signal }).catch((error: Error) => error.name)
  await transport.arrived(1)
  const [signal] = transport.waiting
  const aborted = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
  away.abort()
  await aborted
  assert.equal(await gone, 'AbortError')
})

test('the signal stays quiet when the answer arrives', async () => {
  const answered = call('/api/transport/wait', { body: {} })
  await transport.arrived(1)
  const [signal] = transport.waiting
  transport.release()
  assert.equal((await answered).status, 200)
  assert.equal(signal?.aborted, false)
})

test('x-request-id is taken over when it is harmless, and made when it is not', async () => {
  const idOf = async (id: string): Promise<string | null> =>
    (await call('/api/transport/ask?asked=1', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
  assert.equal(await idOf('run-7.a_B'), 'run-7.a_B')
  for (const bad of ['', 'a b', '"x"', 'x'.repeat(65), 'a/b']) assert.match((await idOf(bad)) ?? '', /^[0-9a-f]{10}-[0-9a-z]+$/)
  const refused = await call('/api/transport/ask?asked=9', { headers: { 'x-request-id': 'mine' } })
  assertRecord(refused, 429, 'FACE_TOO_MANY')
  assert.equal(refused.json.requestId, 'mine')
})

test('a binding to a path of the gateway itself, or to no path, stops the start and says whose it is', async () => {
  const [tool] = transport.plugin.tools
  for (const rest of ['GET /api/tools', 'GET /mcp', 'FETCH /api/transport']) {
    const plugin = { ...transport.plugin, routes: [], tools: [{ ...tool, name: 'transport_taken', effect: 'read', rest } as Tool] }
    await assert.rejects(startTestGateway({ plugins: [plugin], listen: true }), ({ message }: Error) => {
      assert.ok(message.startsWith(`plugin '${plugin.id}' failed in wire: transport_taken cannot be bound to ${rest}: `), message)
      assert.ok(message.endsWith('; bind it to another path'), message)
      return true
    })
  }
})
