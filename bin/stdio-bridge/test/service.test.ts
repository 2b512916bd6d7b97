import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { statelessFixture } from '../../../kernel/mcp/test/stateless/stateless-plugin.ts'
import { talkFixture } from '../../../kernel/mcp/test/talk-plugin.ts'
import { freePort } from '../../../test/support/ports.ts'
import { type BridgeClient, META, notice, openBridge, request, result, stateless } from './bridge-fixture.ts'

describe('the bridge and the service, after a handshake', () => {
  const talk = talkFixture()
  let service: TestGateway
  before(async () => {
    service = await startTestGateway({ plugins: [talk.plugin], listen: true, env: { GATEWAY_PORT: String(await freePort()) } })
  })
  after(() => service.stop())

  const call = (id: unknown, name: string, args: object = {}): object => request(id, 'tools/call', { name, arguments: args })
  const hello = async (client: BridgeClient, protocolVersion = '2025-11-25'): Promise<void> => {
    const capabilities = { elicitation: {}, sampling: {}, roots: {} }
    client.send(request('hello', 'initialize', { protocolVersion, capabilities, clientInfo: { name: 't', version: '1' } }))
    assert.equal((await client.answer('hello')).result.protocolVersion, protocolVersion)
    client.send(notice('notifications/initialized'))
  }

  it('carry the questions of a call to the client, and its answers back', async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    await hello(client)
    client.send(call(1, 'talk_ask', { keys: ['form', 'folders'] }))
    const form = await client.take(({ method }) => method === 'elicitation/create')
    const folders = await client.take(({ method }) => method === 'roots/list')
    const answers = { form: { action: 'accept', content: { name: 'Ada' } }, folders: { roots: [{ uri: 'file:///a' }] } }
    client.send(result(form.id, answers.form), result(folders.id, answers.folders))
    assert.deepEqual((await client.answer(1)).result.structuredContent, { answers })
  })

  it('carry log messages and progress before the answer', async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    await hello(client)
    client.send(request('level', 'logging/setLevel', { level: 'warning' }))
    await client.answer('level')
    client.send(call(1, 'talk_log', { levels: ['info', 'error'] }))
    assert.equal((await client.take(({ method }) => method === 'notifications/message')).params.level, 'error')
    await client.answer(1)
    assert.deepEqual(client.unread, [])
  })

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`speak ${version}`, async (t) => {
      const client = openBridge(t, `${service.url}/mcp`)
      await hello(client, version)
      client.send(call(1, 'talk_can'), request(2, 'ping'))
      assert.ok((await client.answer(1)).result.content.length > 0)
      assert.deepEqual(await client.answer(2), result(2))
    })
  }

  it('still tell of changes after a restart, although the client says nothing in between', { timeout: 60_000 }, async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    await hello(client)
    client.send(request(1, 'resources/subscribe', { uri: 'talk://note' }))
    await client.answer(1)
    await service.restart()
    const told = client.take(({ method }) => method === 'notifications/resources/updated')
    // The bridge reopens its stream in the background: until then, a change reaches nobody.
    const touching = setInterval(() => void service.call('talk_touch', { uri: 'talk://note' }), 50)
    try {
      assert.deepEqual((await told).params, { uri: 'talk://note' })
    } finally {
      clearInterval(touching)
    }
    assert.deepEqual(client.complaints, [], 'the session is kept: there is nothing to open anew')
  })
})

describe('the bridge and the service, without handshake', () => {
  const era = statelessFixture()
  let service: TestGateway
  before(async () => {
    service = await startTestGateway({ plugins: [era.plugin], listen: true })
  })
  after(() => service.stop())

  const call = (id: unknown, name: string, args: object = {}, more: object = {}): object =>
    stateless(id, 'tools/call', { name, arguments: args, ...more })

  it('discover, list, call, and name in headers what the service wants named', async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    const args = { region: ' naïve', count: 42, flag: true, place: { city: '=?base64?eA==?=' } }
    client.send(stateless(1, 'server/discover'), stateless(2, 'tools/list'), call(3, 'era_echo', args), call(4, 'era_echo', { region: 7 }))
    assert.ok((await client.answer(1)).result.supportedVersions.includes('2026-07-28'))
    assert.ok((await client.answer(2)).result.tools.length > 0)
    assert.deepEqual((await client.answer(3)).result.structuredContent, { args })
    assert.equal((await client.answer(4)).result.structuredContent.code, 'BAD_REQUEST')
    client.send(stateless(5, 'resources/read', { uri: 'era://readme' }), stateless(6, 'prompts/get', { name: 'era_plain' }))
    assert.equal((await client.answer(5)).result.contents[0].text, 'read me')
    assert.equal((await client.answer(6)).result.messages[0].content.text, 'plain')
  })

  it('have refusals of the protocol answered as such', async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    client.send(stateless(1, 'ping'), call(2, 'no_such_tool'), request(3, 'tools/list', { _meta: { ...META, [VERSION]: '2099-01-01' } }))
    client.send(request(4, 'tools/list', { _meta: { [VERSION]: '2026-07-28' } }))
    const codes = await Promise.all([1, 2, 3, 4].map(async (id) => (await client.answer(id)).error.code))
    assert.deepEqual(codes, [-32601, -32602, -32022, -32602])
  })

  it('carry progress before the answer, and questions in it', async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    client.send(call(1, 'era_tell', {}, { _meta: { ...META, progressToken: 'p' } }))
    assert.equal((await client.take(({ method }) => method === 'notifications/progress')).params.progressToken, 'p')
    await client.answer(1)
    const able = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
    client.send(call(2, 'era_greet', {}, { _meta: able }))
    const { resultType, inputRequests, requestState } = (await client.answer(2)).result
    assert.deepEqual([resultType, Object.keys(inputRequests)], ['input_required', ['user_name']])
    const inputResponses = { user_name: { action: 'accept', content: { name: 'Ada' } } }
    client.send(call(3, 'era_greet', {}, { _meta: able, inputResponses, requestState }))
    assert.equal((await client.answer(3)).result.structuredContent.text, 'Hello, Ada!')
  })

  it('stop a call that its client cancels', async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    client.send(call('w', 'era_wait'))
    await era.arrived(1)
    client.send(notice('notifications/cancelled', { requestId: 'w' }))
    await era.gone()
    assert.deepEqual(client.unread, [])
  })

  it('carry what a subscription tells, until the client cancels it or the service stops', async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    const acknowledged = () => client.take(({ method }) => method === 'notifications/subscriptions/acknowledged')
    client.send(stateless('a', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
    assert.deepEqual((await acknowledged()).params.notifications, { toolsListChanged: true })
    client.send(call(1, 'era_change', { list: 'tools' }))
    const { params } = await client.take(({ method }) => method === 'notifications/tools/list_changed')
    assert.equal(params._meta['io.modelcontextprotocol/subscriptionId'], 'a')
    await client.answer(1)
    client.send(notice('notifications/cancelled', { requestId: 'a' }))
    client.send(stateless('b', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
    await acknowledged()
    await service.restart()
    assert.equal((await client.answer('b')).result.resultType, 'complete')
    assert.deepEqual(client.unread, [])
  })
})

const VERSION = 'io.modelcontextprotocol/protocolVersion'
