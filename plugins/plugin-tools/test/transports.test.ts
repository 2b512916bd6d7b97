import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import discovery from '@gateway/plugin-discovery'
import outgoing from '@gateway/plugin-outgoing'
import { startTestGateway } from '@gateway/testing'
import pluginTools from '../src/index.ts'
import { admin, handler, json, operatorOf, register, SCHEMA, stranger, type TestGateway } from './support.ts'

/** Each transport as a tenant's caller uses it: over a socket, with a credential. */
const JWT = 'a secret of thirty-two bytes, or more'

function token({ id, tenantId, role }: { id: string; tenantId: string; role: string }): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: id, tenantId, role, exp: 4_000_000_000 })}`
  return `${head}.${createHmac('sha256', JWT).update(head).digest('base64url')}`
}

async function start(): Promise<TestGateway> {
  const env = { PLUGIN_TOOLS_ENABLED: '1', GATEWAY_JWT_SECRET: JWT }
  const gateway = await startTestGateway({ plugins: [outgoing, pluginTools, discovery], listen: true, env })
  for (const { tenantId } of [admin, stranger]) await gateway.tenants.create({ name: tenantId, plan: 'free', tenantId })
  return gateway
}

type Caller = typeof admin | typeof stranger
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }

function post(gateway: TestGateway, path: string, caller: Caller, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token(caller)}`,
      ...headers,
    },
    body: JSON.stringify(body),
  })
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Any = any

async function handshake(
  gateway: TestGateway,
  caller: Caller,
  method: string,
  params: Readonly<Record<string, unknown>>,
  path = '/mcp',
): Promise<Any> {
  return await (await post(gateway, path, caller, { jsonrpc: '2.0', id: 1, method, params })).json()
}

function statelessRequest(method: string, params: Readonly<Record<string, unknown>>) {
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
  }
  return { body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }, headers }
}

async function stateless(
  gateway: TestGateway,
  caller: Caller,
  method: string,
  params: Readonly<Record<string, unknown>>,
  path = '/mcp',
): Promise<Any> {
  const { body, headers } = statelessRequest(method, params)
  return await (await post(gateway, path, caller, body, headers)).json()
}

const ERAS = { handshake, stateless }
const VIEWS = ['/mcp', '/mcp/core', '/mcp/t/plugin-tools']
const names = (answer: Any): string[] => answer.result.tools.map(({ name }: { name: string }) => name)

test('over MCP a tool is listed last, where its family is listed, and called at every address, by its tenant alone', async () => {
  await using gateway = await start()
  await using remote = await handler(json({ loud: 'HEY' }))
  await register(gateway, { handlerUrl: remote.url, description: 'Shouts.' }, { as: operatorOf('acme') })
  for (const [era, ask] of Object.entries(ERAS)) {
    for (const view of VIEWS) {
      const built = names(await ask(gateway, stranger, 'tools/list', {}, view))
      const listed = await ask(gateway, admin, 'tools/list', {}, view)
      assert.deepEqual(names(listed), view === '/mcp/core' ? built : [...built, 'shout'], `${era} ${view}`)
      const called = await ask(gateway, admin, 'tools/call', { name: 'shout', arguments: { text: 'hey' } }, view)
      assert.deepEqual(called.result.structuredContent, { result: { loud: 'HEY' } }, `${era} ${view}`)
      assert.deepEqual(JSON.parse(called.result.content[0].text), { result: { loud: 'HEY' } })
      const refused = await ask(gateway, stranger, 'tools/call', { name: 'shout', arguments: { text: 'hey' } }, view)
      assert.deepEqual([refused.error.code, refused.error.message], [-32602, 'Unknown tool: shout'], `${era} ${view}`)
    }
    const entry = (await ask(gateway, admin, 'tools/list', {})).result.tools.at(-1)
    assert.deepEqual(entry, {
      name: 'shout',
      description: 'Shouts.',
      inputSchema: SCHEMA,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    })
  }
})

test('over REST it is listed last and called by its name, by its tenant alone', async () => {
  await using gateway = await start()
  await using remote = await handler(json(5))
  await register(gateway, { handlerUrl: remote.url }, { as: operatorOf('acme') })
  const list = async (caller: Caller, query = ''): Promise<Any[]> =>
    ((await (await fetch(`${gateway.url}/api/tools${query}`, { headers: { authorization: `Bearer ${token(caller)}` } })).json()) as Any)
      .tools
  const own = await list(admin)
  assert.deepEqual(own.slice(0, -1), await list(stranger))
  const { name, plugin, capability, effect, inputSchema } = own.at(-1)
  assert.deepEqual(
    { name, plugin, capability, effect, inputSchema },
    { name: 'shout', plugin: 'plugin-tools', capability: 'work', effect: 'destructive', inputSchema: SCHEMA },
  )
  assert.equal((await list(admin, '?view=t/plugin-tools')).at(-1).name, 'shout')
  assert.equal((await list(admin, '?view=core')).length, (await list(stranger, '?view=core')).length)
  const called = await post(gateway, '/api/tools/shout', admin, { text: 'hey' })
  assert.deepEqual([called.status, await called.json()], [200, { result: 5 }])
  const wrong = await post(gateway, '/api/tools/shout', admin, { text: 1 })
  assert.deepEqual([wrong.status, ((await wrong.json()) as Any).details.field], [400, 'text'])
  const refused = await post(gateway, '/api/tools/shout', stranger, { text: 'hey' })
  assert.deepEqual([refused.status, ((await refused.json()) as Any).code], [404, 'UNKNOWN_TOOL'])
})

test('after a change and after a removal the next list and the next call are as it now is, on every transport and in every view', async () => {
  await using gateway = await start()
  await using remote = await handler(json(1))
  await register(gateway, { handlerUrl: remote.url }, { as: operatorOf('acme') })
  const entry = async (ask: typeof handshake): Promise<Any> =>
    (await ask(gateway, admin, 'tools/list', {})).result.tools.find(({ name }: { name: string }) => name === 'shout')
  for (const ask of Object.values(ERAS)) assert.equal((await entry(ask)).description, '')
  await register(gateway, { handlerUrl: remote.url, description: 'Other.' }, { as: operatorOf('acme') })
  for (const ask of Object.values(ERAS)) assert.equal((await entry(ask)).description, 'Other.')
  await gateway.call('plugin_tools_remove', { name: 'shout' }, { as: admin })
  for (const [era, ask] of Object.entries(ERAS)) {
    for (const view of VIEWS) {
      assert.ok(!names(await ask(gateway, admin, 'tools/list', {}, view)).includes('shout'), `${era} ${view}`)
      const refused = await ask(gateway, admin, 'tools/call', { name: 'shout', arguments: { text: 'a' } }, view)
      assert.equal(refused.error.message, 'Unknown tool: shout', `${era} ${view}`)
    }
  }
  const { tools } = await gateway.call('tools_search', { query: 'shout' }, { as: admin })
  assert.ok(!tools.some(({ name }: { name: string }) => name === 'shout'))
  const call = { tool: 'shout', arguments: { text: 'a' } }
  await assert.rejects(gateway.call('tools_call_destructive', call, { as: admin }), { code: 'UNKNOWN_TOOL' })
  assert.equal((await post(gateway, '/api/tools/shout', admin, { text: 'a' })).status, 404)
  assert.deepEqual(remote.received, [])
})

/** Reads an event stream until a message names this method; earlier ones are dropped. */
async function heard(response: Response, method: string): Promise<void> {
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true })
    if (text.includes(method)) return
  }
  assert.fail(`the stream ended without ${method}`)
}
const CHANGED = 'notifications/tools/list_changed'

test('clients of the tenant that listen hear that the list has changed; those of another do not', async () => {
  await using gateway = await start()
  const open = async (caller: Caller): Promise<Response> => {
    const asked = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const session = (await post(gateway, '/mcp', caller, { jsonrpc: '2.0', id: 1, method: 'initialize', params: asked })).headers.get(
      'mcp-session-id',
    )
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token(caller)}`, 'mcp-session-id': session as string }
    return await fetch(`${gateway.url}/mcp`, { headers })
  }
  const listen = async (caller: Caller): Promise<Response> => {
    const { body, headers } = statelessRequest('subscriptions/listen', { notifications: { toolsListChanged: true } })
    return await post(gateway, '/mcp', caller, body, headers)
  }
  const others = [await open(stranger), await listen(stranger)].map((stream) =>
    heard(stream, CHANGED).then(
      () => 'heard',
      () => 'ended',
    ),
  )
  for (const change of [
    () => register(gateway, {}, { as: admin }),
    () => gateway.call('plugin_tools_remove', { name: 'shout' }, { as: admin }),
  ]) {
    const streams = [await open(admin), await listen(admin)].map((stream) => heard(stream, CHANGED))
    await change()
    await Promise.all(streams)
  }
  const nothing = new Promise((resolve) => setTimeout(() => resolve('nothing'), 100))
  assert.equal(await Promise.race([nothing, ...others]), 'nothing')
})

test('who took the short list finds the tool by searching, and calls it by its effect', async () => {
  await using gateway = await start()
  await using remote = await handler(json('HEY'))
  await register(gateway, { handlerUrl: remote.url, description: 'Shouts a text so that everybody hears it.' }, { as: operatorOf('acme') })
  const search = async (as: Caller) => (await gateway.call('tools_search', { query: 'shout a text' }, { as })).tools
  const [found] = await search(admin)
  assert.deepEqual([found.name, found.family, found.effect, found.inputSchema], ['shout', 'plugin-tools', 'destructive', SCHEMA])
  assert.ok(!JSON.stringify(await search(stranger)).includes('"shout"'))
  const call = { tool: 'shout', arguments: { text: 'hey' } }
  assert.deepEqual(await gateway.call('tools_call_destructive', call, { as: admin }), { result: 'HEY' })
  for (const name of ['tools_call_read', 'tools_call_write']) {
    await assert.rejects(gateway.call(name, call, { as: admin }), { code: 'WRONG_EFFECT' })
  }
  await assert.rejects(gateway.call('tools_call_destructive', call, { as: stranger }), { code: 'UNKNOWN_TOOL' })
  assert.equal(remote.received.length, 1)
})
