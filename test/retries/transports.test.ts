import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { startBridge } from '../support/bridge-process.ts'
import { notesPlugin } from './plugin.ts'

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'retries', version: '1' } }
const STATELESS = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
const params = (key: string, meta: object = {}) => ({
  name: 'notes_add',
  arguments: { text: key },
  _meta: { 'gateway/idempotencyKey': key, ...meta },
})

async function post(gateway: TestGateway, body: object, headers: Record<string, string>) {
  const accept = 'application/json, text/event-stream'
  return gateway.inject({ method: 'POST', url: '/mcp', headers: { 'content-type': 'application/json', accept, ...headers }, body })
}

const isReplayed = ({ result }: { result: { _meta?: Record<string, unknown>; structuredContent: { note: { noteId: string } } } }) => [
  result.structuredContent.note.noteId,
  result._meta?.['gateway/replayed'] ?? false,
]

test('over both revisions of MCP, _meta carries the key and marks the replay', async () => {
  await using gateway = await startTestGateway({ plugins: [notesPlugin] })
  const opened = await post(gateway, { jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO }, {})
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': HELLO.protocolVersion }
  const stateless = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'notes_add' }
  for (const [key, headers, meta] of [
    ['handshake', session, {}],
    ['stateless', stateless, STATELESS],
  ] as const) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: params(key, meta) }
    const first = (await post(gateway, body, headers)).json()
    const again = (await post(gateway, body, headers)).json()
    assert.deepEqual(isReplayed(first)[1], false)
    assert.deepEqual(isReplayed(again), [isReplayed(first)[0], true], JSON.stringify(again))
    if (key === 'stateless') assert.ok(again.result._meta['io.modelcontextprotocol/serverInfo'], 'the members of the protocol stay')
  }
})

test('the stdio bridge passes the key on', async () => {
  await using gateway = await startTestGateway({ plugins: [notesPlugin], listen: true })
  const bridge = startBridge(gateway.url, {})
  await bridge.request('initialize', HELLO)
  bridge.notify('notifications/initialized')
  await bridge.request('tools/call', params('stdio'))
  const again = (await bridge.request('tools/call', params('stdio'))) as Parameters<typeof isReplayed>[0]
  await bridge.close()
  assert.equal(isReplayed(again)[1], true)
  assert.equal((await gateway.documents()).notes?.length, 1)
})
