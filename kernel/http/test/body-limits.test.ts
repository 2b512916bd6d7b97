import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const tool = {
  description: 'For tests.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ list: Type.Array(Type.Integer()) }, closed),
  output: Type.Object({ count: Type.Integer() }),
  handle: async ({ list }: { list: readonly number[] }) => ({ count: list.length }),
} as const
const plugin = definePlugin({
  id: 'limits',
  sdk: '^1.0.0',
  description: 'For tests.',
  tools: [
    defineTool({ ...tool, name: 'limits_plain', rest: 'POST /api/limits/plain' }),
    defineTool({ ...tool, name: 'limits_large', rest: 'POST /api/limits/large', bodyLimitBytes: 16_384, bodyLimitValues: 4_000 }),
  ],
})

let gateway: TestGateway
before(async () => {
  const env = { GATEWAY_BODY_LIMIT_BYTES: '8192', GATEWAY_BODY_LIMIT_VALUES: '1000' }
  gateway = await startTestGateway({ plugins: [plugin], env })
})
after(() => gateway.stop())

const ones = (count: number) => ({ list: Array.from({ length: count }, () => 1) })
const post = async (url: string, body: unknown): Promise<unknown> => {
  const { status, json } = await gateway.inject({ method: 'POST', url, body })
  return status === 200 ? 'taken' : json().code
}
const mcp = async (name: string, args: object): Promise<unknown> => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const { json } = await gateway.inject({ method: 'POST', url: '/mcp', body })
  return json().error?.data?.code ?? 'taken'
}

const paths = ['/api/limits/', '/api/tools/limits_'] as const
const transports: Readonly<Record<string, (which: 'plain' | 'large', args: object) => Promise<unknown>>> = {
  ...Object.fromEntries(paths.map((path) => [path, (which: string, args: object) => post(`${path}${which}`, args)])),
  mcp: (which, args) => mcp(`limits_${which}`, args),
}
for (const [transport, call] of Object.entries(transports)) {
  test(`an operation that declares it takes a body of more values and bytes than others do, and no more: ${transport}`, async () => {
    assert.equal(await call('plain', ones(900)), 'taken')
    assert.equal(await call('plain', ones(1_100)), 'BAD_REQUEST')
    assert.equal(await call('plain', { list: [], filler: 'x'.repeat(9_000) }), 'PAYLOAD_TOO_LARGE')
    assert.equal(await call('large', ones(3_900)), 'taken')
    assert.equal(await call('large', ones(4_100)), 'BAD_REQUEST')
    assert.equal(await call('large', { list: [], filler: 'x'.repeat(17_000) }), 'PAYLOAD_TOO_LARGE')
  })
}

test('a batch has no more values than any other message, whatever tools it calls', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'limits_large', arguments: ones(1_500) } }
  assert.equal((await gateway.inject({ method: 'POST', url: '/mcp', body: [call] })).json().error.data.code, 'BAD_REQUEST')
})
