import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { send } from '../../../http/test/requests.ts'
import { isStateless } from '../../src/stateless/classify.ts'
import { type Asked, ask, body, call, headersOf, TASKS, VERSION } from './requests.ts'
import { statelessFixture } from './stateless-plugin.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [statelessFixture().plugin], listen: true })
})
after(() => gateway.stop())

const OWN = 'io.modelcontextprotocol/'
const serverInfo = (json: { result: { _meta: Record<string, unknown> } }) => json.result._meta[`${OWN}serverInfo`] as object

test('server/discover says which version, what works, and the boot bundle', async () => {
  const { status, json } = await ask(gateway, { method: 'server/discover', id: 'd1' })
  const { resultType, supportedVersions, capabilities, instructions, ttlMs, cacheScope } = json.result
  assert.deepEqual([status, json.id, resultType, supportedVersions], [200, 'd1', 'complete', [VERSION]])
  assert.deepEqual(capabilities, {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
    logging: {},
    extensions: { [TASKS]: {} },
  })
  assert.match(instructions, /tenant `local`[^]*## Manners\nBe kind\./)
  // The bundle names its caller, so it must not be shared with other callers.
  assert.deepEqual([Number.isInteger(ttlMs) && ttlMs >= 0, cacheScope], [true, 'private'])
  assert.deepEqual(Object.keys(serverInfo(json)), ['name', 'version'])
})

test('lists and reads say for how long and by whom they may be kept; nothing else does', async () => {
  const cases: [Asked, string | undefined][] = [
    [{ method: 'tools/list' }, 'private'],
    [{ method: 'prompts/list' }, 'private'],
    [{ method: 'resources/list' }, 'public'],
    [{ method: 'resources/templates/list' }, 'public'],
    [{ method: 'resources/read', params: { uri: 'era://readme' } }, 'private'],
    [{ method: 'prompts/get', params: { name: 'era_plain' } }, undefined],
    [{ method: 'tools/call', params: { name: 'era_echo' } }, undefined],
  ]
  for (const [asked, scope] of cases) {
    const { status, json } = await ask(gateway, asked)
    assert.deepEqual([status, json.result.resultType, json.result.cacheScope], [200, 'complete', scope], asked.method)
    assert.equal(Number.isInteger(json.result.ttlMs) && json.result.ttlMs >= 0, scope !== undefined, asked.method)
    assert.deepEqual(serverInfo(json), { name: 'gateway', version: (serverInfo(json) as { version: string }).version })
  }
})

test('a stamped result is otherwise the result of the handshake era', async () => {
  for (const { method, params = {} } of [
    { method: 'tools/list' },
    { method: 'resources/list' },
    { method: 'prompts/list' },
    { method: 'tools/call', params: { name: 'era_echo', arguments: { id: 'ü "x"' } } },
    { method: 'resources/read', params: { uri: 'era://readme' } },
  ]) {
    const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta, ...result } = (await ask(gateway, { method, params })).json.result
    const handshake = await send(`${gateway.url}/mcp`, { body: { jsonrpc: '2.0', id: 1, method, params } })
    assert.deepEqual(result, handshake.json.result, method)
  }
})

test('ids come back as they were', async () => {
  for (const id of [0, -7, '7', '', 'é\u2028"', 'x'.repeat(300)])
    assert.equal((await ask(gateway, { method: 'prompts/list', id })).json.id, id)
})

test('a request is of this era when its _meta names a version, else by its header; a session and initialize are the handshake’s', async () => {
  const plain = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: {} })
  const modern = { 'mcp-protocol-version': VERSION, 'mcp-method': 'ping' }
  const post = (message: object, headers: Record<string, string>) => send(`${gateway.url}/mcp`, { body: message, headers })
  assert.deepEqual((await post(plain('ping'), {})).json.result, {})
  assert.deepEqual((await post(plain('ping'), { 'mcp-protocol-version': '2025-06-18', 'mcp-method': 'ping' })).json.result, {})
  for (const version of [VERSION, '2027-01-01', 'nonsense']) {
    const { status, json } = await post(plain('ping'), { ...modern, 'mcp-protocol-version': version })
    assert.deepEqual([status, json.id, json.error.code], [400, 1, -32602], version)
  }
  const initialize = { ...plain('initialize'), params: { protocolVersion: '2025-11-25', capabilities: {} } }
  for (const headers of [{}, { 'mcp-method': 'initialize' }]) {
    const { json, headers: answered } = await post(initialize, headers)
    assert.equal(json.result.protocolVersion, '2025-11-25')
    const known = { 'mcp-session-id': answered.get('mcp-session-id') ?? '' }
    assert.deepEqual((await post(plain('ping'), known)).json.result, {})
    // In a session an unknown version is a fault of the handshake.
    assert.equal((await post(plain('ping'), { ...known, ...modern })).json.error.code, -32600)
    // A message that names its version needs no session, and gets none.
    const listed = await ask(gateway, { method: 'prompts/list', headers: known })
    assert.equal(listed.json.result.resultType, 'complete')
  }
  assert.equal(isStateless(initialize, modern), false)
  assert.equal(isStateless(body({ method: 'initialize' }), {}), true)
})

test('what earlier versions had besides is gone: 404, -32601', async () => {
  const gone = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tasks/list', 'tasks/result']
  for (const method of [...gone, 'unknown/method', 'toString', '__proto__']) {
    const { status, json } = await ask(gateway, { method, id: 'gone' })
    assert.deepEqual([status, json.id, json.error.code], [404, 'gone', -32601], method)
  }
})

test('an envelope that is none is 400, -32600, without an id where none could be read', async () => {
  const headers = headersOf({ method: 'tools/list' })
  const cases: [unknown, unknown][] = [
    [7, undefined],
    [null, undefined],
    [{}, undefined],
    [{ jsonrpc: '2.0', id: null, method: 'tools/list' }, undefined],
    [{ jsonrpc: '1.0', id: 3, method: 'tools/list' }, 3],
    [{ jsonrpc: '2.0', id: 3, method: 7 }, 3],
    // A response: the stateless protocol asks nothing.
    [{ jsonrpc: '2.0', id: 3, result: {} }, undefined],
  ]
  for (const [message, id] of cases) {
    const { status, json } = await send(`${gateway.url}/mcp`, { body: JSON.stringify(message), headers })
    assert.deepEqual([status, json.error.code, json.id, 'id' in json], [400, -32600, id, id !== undefined], JSON.stringify(message))
  }
  const byPosition = await send(`${gateway.url}/mcp`, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }, headers })
  assert.deepEqual([byPosition.status, byPosition.json.id, byPosition.json.error.code], [400, 1, -32602])
  const noJson = await send(`${gateway.url}/mcp`, { body: '{', headers })
  assert.deepEqual([noJson.status, noJson.json.error.code, 'id' in noJson.json], [400, -32700, false])
})

test('a batch with a message of this era is 400, -32600, whatever else is in it', async () => {
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
  for (const batch of [[body({ method: 'tools/list' })], [ping, body({ method: 'tools/list' })]]) {
    const { status, json } = await send(`${gateway.url}/mcp`, { body: batch })
    assert.deepEqual([status, json.error.code], [400, -32600])
  }
})

test('notifications are 202 without a body', async () => {
  const { id: _, ...notification } = body({ method: 'notifications/cancelled', params: { requestId: 1 } }) as Record<string, unknown>
  for (const headers of [{}, { 'mcp-protocol-version': VERSION }]) {
    const { status, text } = await send(`${gateway.url}/mcp`, { body: notification, headers })
    assert.deepEqual([status, text], [202, ''])
  }
})

test('_meta must name version and capabilities: 400, -32602, before any header is looked at', async () => {
  const broken: Record<string, unknown>[] = [
    { [`${OWN}protocolVersion`]: undefined },
    { [`${OWN}protocolVersion`]: 7 },
    { [`${OWN}clientCapabilities`]: undefined },
    { [`${OWN}clientCapabilities`]: null },
    { [`${OWN}clientCapabilities`]: [] },
  ]
  for (const meta of broken) {
    for (const headers of [{}, { 'mcp-method': 'prompts/list' }]) {
      const { status, json } = await ask(gateway, { method: 'tools/list', id: 'm', meta, headers })
      assert.deepEqual([status, json.id, json.error.code], [400, 'm', -32602], JSON.stringify(meta))
    }
  }
  for (const params of [{}, { _meta: null }, { _meta: 'x' }, undefined]) {
    const { status, json } = await send(`${gateway.url}/mcp`, {
      body: { jsonrpc: '2.0', id: 1, method: 'server/discover', params },
      headers: headersOf({ method: 'server/discover' }),
    })
    assert.deepEqual([status, json.id, json.error.code], [400, 1, -32602])
  }
  const info = { [`${OWN}clientInfo`]: { name: 't', version: '1' } }
  for (const meta of [{}, info]) assert.equal((await ask(gateway, { method: 'server/discover', meta })).status, 200)
})

test('a version this gateway does not speak is 400, -32022, and says which it does', async () => {
  for (const version of ['v999.0.0', '2025-11-25', '2027-01-01']) {
    const asked = { method: 'server/discover', meta: { [`${OWN}protocolVersion`]: version }, headers: { 'mcp-protocol-version': version } }
    const { status, json } = await ask(gateway, asked)
    assert.deepEqual([status, json.error.code, json.error.data], [400, -32022, { supported: [VERSION], requested: version }])
  }
})

test('bad params are -32602 in a 200', async () => {
  const cases: Asked[] = [
    { method: 'tools/call', params: {} },
    { method: 'tools/call', params: { name: 7 } },
    { method: 'tools/call', params: { name: 'no_such_tool' } },
    { method: 'tools/call', params: { name: 'era_echo', arguments: [] } },
    { method: 'prompts/get', params: { name: 'no_such_prompt' } },
    { method: 'tools/list', params: { cursor: 'foreign' } },
    { method: 'tools/list', meta: { [`${OWN}logLevel`]: 'loud' } },
    { method: 'tools/call', params: { name: 'era_greet', inputResponses: [] } },
    { method: 'tools/call', params: { name: 'era_greet', requestState: 7 } },
    { method: 'tools/call', params: { name: 'era_echo', requestState: 'no state of ours' } },
  ]
  for (const asked of cases) {
    const { status, json } = await ask(gateway, asked)
    assert.deepEqual([status, json.id, json.error?.code], [200, 1, -32602], JSON.stringify(asked))
  }
})

test('optional parameters may be null, and a cursor empty', async () => {
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    const whole = (await ask(gateway, { method })).json.result
    assert.ok(whole, method)
    for (const cursor of [null, '']) assert.deepEqual((await ask(gateway, { method, params: { cursor } })).json.result, whole)
  }
  assert.ok((await ask(gateway, { method: 'tools/list', meta: { [`${OWN}logLevel`]: null } })).json.result)
  const params = { name: 'era_echo', arguments: null, inputResponses: null, requestState: null }
  assert.ok((await ask(gateway, { method: 'tools/call', params })).json.result)
})

test('a resource that is not there is -32602 with its URI', async () => {
  for (const uri of ['era://nothing', 'nonsense']) {
    const { status, json } = await ask(gateway, { method: 'resources/read', params: { uri } })
    assert.deepEqual([status, json.error.code, json.error.data], [200, -32602, { uri }])
  }
})

test('arguments a tool does not take, and its refusals, are results; so is a fault of ours', async () => {
  for (const [name, args, code] of [
    ['era_echo', { count: 'many' }, 'BAD_REQUEST'],
    ['era_job', { end: 'refused' }, 'ERA_REFUSED'],
    ['era_broken', {}, 'INTERNAL_ERROR'],
  ] as const) {
    const headers: Record<string, string> = 'count' in args ? { 'mcp-param-count': 'many' } : {}
    const { status, json } = await call(gateway, name, args, { headers })
    assert.deepEqual(
      [status, json.result.isError, json.result.structuredContent.code, json.result.resultType],
      [200, true, code, 'complete'],
    )
  }
})

test('a prompt that refuses has a code of its own, a resource that breaks is -32603; no code of earlier versions is left', async () => {
  const refused = await ask(gateway, { method: 'prompts/get', params: { name: 'era_refuses' } })
  assert.deepEqual([refused.status, refused.json.error.code, refused.json.error.data.code], [200, -31000, 'CONFLICT'])
  const broken = await ask(gateway, { method: 'resources/read', params: { uri: 'era://secret/broken' } })
  assert.deepEqual([broken.status, broken.json.error.code, broken.json.error.data.code], [200, -32603, 'INTERNAL_ERROR'])
  assert.doesNotMatch(broken.text, /a secret/)
})

test('a client that takes no event streams cannot listen: 406', async () => {
  const { status, json } = await ask(gateway, {
    method: 'subscriptions/listen',
    params: { notifications: {} },
    headers: { accept: 'application/json' },
  })
  assert.deepEqual([status, json.error.data.code], [406, 'NOT_ACCEPTABLE'])
})

test('what HTTP refuses has a code of its own too', async () => {
  const headers = headersOf({ method: 'tools/list' })
  const foreign = await send(`${gateway.url}/mcp`, {
    body: body({ method: 'tools/list' }),
    headers: { ...headers, origin: 'https://evil.example' },
  })
  const family = await send(`${gateway.url}/mcp/t/none`, { body: body({ method: 'tools/list' }), headers })
  const text = await send(`${gateway.url}/mcp`, { body: '{}', headers: { ...headers, 'content-type': 'text/plain' } })
  for (const [{ status, json }, expected] of [
    [foreign, 403],
    [family, 404],
    [text, 415],
  ] as const)
    assert.deepEqual([status, json.error.code], [expected, -31000])
})
