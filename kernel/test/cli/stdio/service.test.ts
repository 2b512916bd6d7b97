import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { startTestGateway, type TestGateway } from '@gateway/sdk/testing'
import { talkFixture } from '../../mcp/talk-plugin.ts'
import { freePort } from '../cli-fixture.ts'
import { type BridgeClient, notice, openBridge, request, result } from './bridge-fixture.ts'

describe('the bridge and the service', () => {
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

  it('still tell of changes after a restart, although the client says nothing in between', async (t) => {
    const client = openBridge(t, `${service.url}/mcp`)
    await hello(client)
    client.send(request(1, 'resources/subscribe', { uri: 'talk://note' }))
    await client.answer(1)
    await service.restart()
    while (client.complaints.length === 0) await immediate()
    assert.match(client.complaints[0] ?? '', /another one is open/)
    await service.call('talk_touch', { uri: 'talk://note' })
    assert.deepEqual((await client.take(({ method }) => method === 'notifications/resources/updated')).params, { uri: 'talk://note' })
  })
})
