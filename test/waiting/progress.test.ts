import assert from 'node:assert/strict'
import { test } from 'node:test'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const STATELESS = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The messages of an event stream, as they come. */
async function* messages(response: Response): AsyncGenerator<Record<string, unknown> & { params?: { progress?: number } }> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length))
  }
}

const post = (gateway: TestGateway, message: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })

const call = (meta: object = {}) => ({
  method: 'tools/call',
  params: { name: 'tasks_claim', arguments: { claimedBy: 'ada', waitSeconds: 55 }, _meta: { progressToken: 'p', ...meta } },
})

const eras: Record<string, (gateway: TestGateway) => Promise<Response>> = {
  'handshake era': async (gateway) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const opened = await post(gateway, { method: 'initialize', params })
    const session = opened.headers.get('mcp-session-id') as string
    await opened.arrayBuffer()
    return post(gateway, call(), { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' })
  },
  'handshake era without a session': (gateway) => post(gateway, call()),
  'stateless era': (gateway) =>
    post(gateway, call(STATELESS), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tasks_claim' }),
}

for (const [era, send] of Object.entries(eras)) {
  test(`a waiting call reports its progress every ten seconds to a client that asked for it: ${era}`, async () => {
    await using gateway = await startTestGateway({ plugins: [trash, tasks], listen: true })
    const sent = send(gateway)
    const clock = setInterval(() => gateway.clock.advance(5), 150)
    let reports = 0
    try {
      for await (const message of messages(await sent)) {
        if (message.method === 'notifications/progress') {
          assert.equal(Math.floor((message.params?.progress ?? 0) / 10), ++reports)
          if (reports === 2) await gateway.call('tasks_create', { repo: 'web', title: 'A task' })
          continue
        }
        assert.match(JSON.stringify(message), /"claimed":true/)
        assert.ok(reports >= 2)
        return
      }
      assert.fail('the stream ended without an answer')
    } finally {
      clearInterval(clock)
    }
  })
}
