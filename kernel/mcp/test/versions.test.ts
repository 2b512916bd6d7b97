import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { transportFixture } from '../../http/test/transport-plugin.ts'
import { openSession, post, request } from './rpc.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [transportFixture().plugin], listen: true })
})
after(() => gateway.stop())

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const initialize = (protocolVersion: unknown) =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } })
const call = request('tools/call', { name: 'transport_echo', arguments: { id: 'x' } })

for (const version of VERSIONS) {
  test(`${version} is agreed on, and everything works under it`, async () => {
    const { json, session } = await post(gateway, initialize(version))
    assert.equal(json.result.protocolVersion, version)
    const headers = { 'mcp-session-id': session ?? '', 'mcp-protocol-version': version }
    assert.equal((await post(gateway, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status, 202)
    assert.deepEqual((await post(gateway, request('ping'), headers)).json, { jsonrpc: '2.0', id: 1, result: {} })
    assert.ok((await post(gateway, request('tools/list'), headers)).json.result.tools.length > 0)
    assert.deepEqual((await post(gateway, call, headers)).json.result.structuredContent, { args: { id: 'x', count: 1 } })
  })

  test(`batches belong to 2025-03-26 and before: ${version}`, async () => {
    const { status, json } = await post(gateway, [call, request('ping', undefined, 'p')], await openSession(gateway, version))
    if (version > '2025-03-26') assert.deepEqual([status, json.error.code], [400, -32600])
    else assert.deepEqual([status, json.map(({ id }: { id: unknown }) => id)], [200, [1, 'p']])
  })
}

test('a version nobody knows is answered with the latest', async () => {
  for (const version of ['1999-01-01', '2026-07-28', 'nonsense', '']) {
    assert.equal((await post(gateway, initialize(version))).json.result.protocolVersion, '2025-11-25')
  }
})

test('initialize without a version is -32602 and opens no session', async () => {
  for (const body of [initialize(undefined), initialize(7), request('initialize')]) {
    const { status, json, session } = await post(gateway, body)
    assert.deepEqual([status, json.error.code, session], [200, -32602, null])
  }
})

test('an unknown MCP-Protocol-Version header in a session is 400 and says which are known', async () => {
  const headers = { ...(await openSession(gateway)), 'mcp-protocol-version': '2001-01-01' }
  const { status, json } = await post(gateway, request('ping', undefined, 'mine'), headers)
  assert.deepEqual(
    [status, json.id, json.error.code, json.error.data],
    [400, 'mine', -32600, { supported: VERSIONS, requested: '2001-01-01' }],
  )
})

test('without a header and a session a batch is taken, as 2025-03-26 is assumed', async () => {
  assert.equal((await post(gateway, [request('ping')])).status, 200)
  assert.equal((await post(gateway, [request('ping')], { 'mcp-protocol-version': '2025-11-25' })).status, 400)
})

test('a batch answers each request, keeps silent on notifications, and takes no initialize', async () => {
  const { status, json } = await post(gateway, [
    request('ping', undefined, 'a'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    request('no/such', undefined, 2),
    { jsonrpc: '2.0', id: 'r', result: {} },
    7,
    { ...initialize('2025-03-26'), id: 'i' },
  ])
  assert.equal(status, 200)
  const shown = json.map(({ id, error }: { id: unknown; error?: { code: number } }) => [id, error?.code])
  assert.deepEqual(shown, [
    ['a', undefined],
    [2, -32601],
    [null, -32600],
    ['i', -32600],
  ])
})

test('a batch has 1 to 100 messages; one of notifications alone is 202', async () => {
  assert.equal(
    (
      await post(
        gateway,
        Array.from({ length: 100 }, (_, i) => request('ping', undefined, i)),
      )
    ).json.length,
    100,
  )
  for (const count of [0, 101]) {
    const { status, json } = await post(
      gateway,
      Array.from({ length: count }, (_, i) => request('ping', undefined, i)),
    )
    assert.deepEqual([status, json.error.code], [400, -32600])
  }
  const silent = await post(gateway, [{ jsonrpc: '2.0', method: 'notifications/initialized' }])
  assert.deepEqual([silent.status, silent.text], [202, ''])
})
