import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { ASKABLE, ask, body, call, headersOf, listen, type Open, open, SECRET, session, TASKS } from './requests.ts'
import { statelessFixture } from './stateless-plugin.ts'

const era = statelessFixture()
const env = { GATEWAY_JWT_SECRET: SECRET }
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [era.plugin], listen: true, env })
})
after(() => gateway.stop())

const ID = 'io.modelcontextprotocol/subscriptionId'
const changed = (list: string, id: unknown) => ({
  jsonrpc: '2.0',
  method: `notifications/${list}/list_changed`,
  params: { _meta: { [ID]: id } },
})
const updated = (uri: string, id: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { _meta: { [ID]: id }, uri },
})
const change = async (what: object, headers: Record<string, string> = {}): Promise<void> => {
  assert.equal((await call(gateway, 'era_change', what, { headers })).status, 200)
}
/** Checks the last message of a stream that the server ended. */
const end = (id: unknown, last: { result: { _meta: Record<string, unknown> } }) => {
  assert.deepEqual(
    { ...last, result: { ...last.result, _meta: last.result._meta[ID] } },
    {
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', _meta: id },
    },
  )
}

test('the first message acknowledges what will be told, under the id of the request as it was sent', async () => {
  const wanted = {
    toolsListChanged: true,
    promptsListChanged: false,
    resourcesListChanged: true,
    resourceSubscriptions: ['era://readme', 'era://secret/1', 'no://such'],
    somethingNew: true,
  }
  for (const id of [1_767_600_000_000, 'one', '1', 0]) {
    const stream = await listen(gateway, wanted, { id })
    assert.deepEqual([stream.response.status, stream.response.headers.get('content-type')], [200, 'text/event-stream'])
    assert.deepEqual(await stream.next(), {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        _meta: { [ID]: id },
        notifications: {
          toolsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: ['era://readme', 'era://secret/1'],
        },
      },
    })
    stream.disconnect()
  }
  const nothing = await listen(gateway, {})
  assert.deepEqual((await nothing.next()).params.notifications, {})
  nothing.disconnect()
})

test('wildcards and any case of letters are enough to listen', async () => {
  for (const accept of ['*/*', 'application/json, Text/Event-Stream']) {
    const { response, next, disconnect } = await listen(gateway, {}, { headers: { accept } })
    assert.deepEqual([response.status, (await next())?.method], [200, 'notifications/subscriptions/acknowledged'], accept)
    disconnect()
  }
})

test('each stream is told what it asked for, and nothing else', async () => {
  const tools = await listen(gateway, { toolsListChanged: true }, { id: 'same' })
  const prompts = await listen(gateway, { promptsListChanged: true }, { id: 'same' })
  const watching = await listen(gateway, { resourceSubscriptions: ['era://readme'], resourcesListChanged: true }, { id: 3 })
  for (const stream of [tools, prompts, watching]) await stream.next()
  for (const what of [{ list: 'tools' }, { uri: 'era://secret/1' }, { uri: 'era://readme' }, { list: 'prompts' }, { list: 'resources' }])
    await change(what)
  await change({ list: 'tools' })
  assert.deepEqual([await tools.next(), await tools.next()], [changed('tools', 'same'), changed('tools', 'same')])
  assert.deepEqual(await prompts.next(), changed('prompts', 'same'))
  assert.deepEqual([await watching.next(), await watching.next()], [updated('era://readme', 3), changed('resources', 3)])
  for (const stream of [tools, prompts, watching]) stream.disconnect()
})

test('nobody hears of another tenant', async () => {
  const [acme, other] = [await session(gateway, 'acme'), await session(gateway, 'other')]
  const wanted = { toolsListChanged: true, resourceSubscriptions: ['era://readme'] }
  const theirs = await listen(gateway, wanted, { headers: other, id: 1 })
  const ours = await listen(gateway, wanted, { headers: acme, id: 1 })
  await theirs.next()
  await ours.next()
  await change({ list: 'tools', uri: 'era://readme' }, other)
  await change({ uri: 'era://readme' }, acme)
  assert.deepEqual(await ours.next(), updated('era://readme', 1))
  assert.deepEqual([await theirs.next(), await theirs.next()], [changed('tools', 1), updated('era://readme', 1)])
  ours.disconnect()
  theirs.disconnect()
})

test('a filter that is none is -32602 and opens no stream', async () => {
  const bad: unknown[] = [
    undefined,
    null,
    [],
    { toolsListChanged: 'yes' },
    { resourceSubscriptions: 'era://readme' },
    { resourceSubscriptions: [7] },
    { resourceSubscriptions: Array.from({ length: 1_001 }, (_, i) => `era://secret/${i}`) },
    { resourceSubscriptions: ['x'.repeat(40_000), 'y'.repeat(40_000)] },
    { taskIds: {} },
    { taskIds: Array.from({ length: 101 }, () => 'x') },
  ]
  for (const notifications of bad) {
    const asked = { method: 'subscriptions/listen', params: { notifications }, capabilities: { extensions: { [TASKS]: {} } } }
    const { status, json, headers } = await ask(gateway, asked)
    assert.deepEqual([status, json.error.code, headers.get('content-type')], [200, -32602, 'application/json; charset=utf-8'])
  }
})

test('an id that would make every message long is refused', async () => {
  const asked = { method: 'subscriptions/listen', params: { notifications: {} }, id: 'x'.repeat(1_001) }
  const { json } = await ask(gateway, asked)
  assert.deepEqual([json.id, json.error.code], [asked.id, -32600])
})

test('who wants to hear of tasks must have declared them: 400, -32021', async () => {
  const asked = { method: 'subscriptions/listen', params: { notifications: { taskIds: [] } }, capabilities: ASKABLE }
  const { status, json } = await ask(gateway, asked)
  assert.deepEqual([status, json.error.code, json.error.data], [400, -32021, { requiredCapabilities: { extensions: { [TASKS]: {} } } }])
})

test('a suspended tenant’s streams end at once with a result, its next call is refused, and nobody else notices', async () => {
  await call(gateway, 'era_tenant', { subject: 'doomed', suspend: false })
  const theirs = await session(gateway, 'doomed')
  const [doomed, local] = [await listen(gateway, {}, { headers: theirs, id: 'd' }), await listen(gateway, { toolsListChanged: true })]
  await doomed.next()
  await local.next()
  await call(gateway, 'era_tenant', { subject: 'doomed', suspend: true })
  const told = await doomed.rest()
  assert.equal(told.length, 1)
  end('d', told[0])
  for (const asked of [{ method: 'subscriptions/listen', params: { notifications: {} } }, { method: 'tools/list' }]) {
    const { status, json } = await ask(gateway, { ...asked, headers: theirs })
    assert.deepEqual([status, json.error.data.code, 'id' in json], [403, 'TENANT_SUSPENDED', false])
  }
  await change({ list: 'tools' })
  assert.equal((await local.next()).method, 'notifications/tools/list_changed')
  local.disconnect()
})

test('a suspended tenant’s calls end at once with the streams they speak on, and nobody else’s', async () => {
  await call(gateway, 'era_tenant', { subject: 'talker', suspend: false })
  const asked = { method: 'tools/call', params: { name: 'era_wait', arguments: { tell: true } }, meta: { progressToken: 1 } }
  const theirs = await open(gateway, { ...asked, headers: await session(gateway, 'talker') })
  const local = await open(gateway, asked)
  assert.equal((await theirs.next()).params.progress, 1)
  assert.equal((await local.next()).params.progress, 1)
  await era.arrived(2)
  await call(gateway, 'era_tenant', { subject: 'talker', suspend: true })
  assert.deepEqual(
    (await theirs.rest()).filter(({ method }) => method === undefined),
    [],
    'no answer any more',
  )
  assert.deepEqual(
    [...era.waiting].map(({ aborted }) => aborted),
    [false],
    'the other call goes on',
  )
  era.release()
  assert.equal((await local.rest()).at(-1).result.structuredContent.why, 'released')
})

test('a tenant that is suspended while its request is on the way gets no stream', async () => {
  await call(gateway, 'era_tenant', { subject: 'slow', suspend: false })
  const asked = { method: 'subscriptions/listen', params: { notifications: {} }, headers: await session(gateway, 'slow') }
  const text = JSON.stringify(body(asked))
  let rest: () => void = () => {}
  const waiting = new Promise<void>((resolve) => (rest = resolve))
  async function* slowly(): AsyncGenerator<Buffer> {
    yield Buffer.from(text.slice(0, 20))
    await waiting
    yield Buffer.from(text.slice(20))
  }
  const answered = fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: headersOf(asked),
    body: slowly() as never,
    duplex: 'half',
  } as RequestInit)
  // Later requests have been answered, so the first part has been processed.
  for (let i = 0; i < 5; i++) await ask(gateway, { method: 'tools/list' })
  await call(gateway, 'era_tenant', { subject: 'slow', suspend: true })
  rest()
  assert.equal((await answered).status, 403)
})

test('a stop ends every stream with a result', async () => {
  const other = await startTestGateway({ plugins: [era.plugin], listen: true })
  const streams: Open[] = []
  for (let i = 0; i < 3; i++) streams.push(await listen(other, {}, { id: i }))
  for (const stream of streams) await stream.next()
  const stopped = other.stop()
  for (const [i, stream] of streams.entries()) {
    const told = await stream.rest()
    assert.equal(told.length, 1)
    end(i, told[0])
  }
  await stopped
})
