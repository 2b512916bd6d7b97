import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

let told: unknown
const tool = (name: string, handle: Parameters<typeof defineTool>[0]['handle'], timeoutMs?: number) =>
  defineTool({
    name,
    description: 'A tool that takes its time.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    ...(timeoutMs !== undefined && { timeoutMs }),
    handle: handle as never,
  })
const plugin = definePlugin({
  id: 'slow',
  sdk: '^1.0.0',
  description: 'Slow tools.',
  tools: [
    tool(
      'slow_deaf',
      async (_input, _uses, ctx) => {
        ctx.signal.addEventListener('abort', () => (told = ctx.signal.reason))
        await delay(2_000)
        return {}
      },
      100,
    ),
    tool(
      'slow_busy',
      async (_input, _uses, ctx) => {
        for (let i = 0; i < 8; i++) {
          await delay(150)
          ctx.progress(i)
        }
        return {}
      },
      1_000,
    ),
    tool(
      'slow_free',
      async () => {
        await delay(400)
        return {}
      },
      0,
    ),
    tool('slow_large', async () => ({ text: 'x'.repeat(70_000) })),
    tool('slow_double', async () => ({ text: '"'.repeat(12_000) })),
  ],
})

test('a call ends with CALL_TIMEOUT when its time is over, progress begins it anew, and 0 is no limit', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  await assert.rejects(gateway.call('slow_deaf'), { code: 'CALL_TIMEOUT', status: 504, details: { operation: 'slow_deaf', limitMs: 100 } })
  assert.equal((told as { code?: string }).code, 'CALL_TIMEOUT')
  await gateway.call('slow_busy')
  await gateway.call('slow_free')
})

test('an answer above the limit is ANSWER_TOO_LARGE on every transport; over MCP text that is too large beside the result is left out', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin], env: { GATEWAY_ANSWER_LIMIT_BYTES: '65536' } })
  const rest = await gateway.inject({ method: 'POST', url: '/api/tools/slow_large', body: {} })
  assert.deepEqual([rest.status, rest.json().code], [422, 'ANSWER_TOO_LARGE'])
  const mcp = async (name: string) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }
    const headers = { accept: 'application/json, text/event-stream' }
    return (await gateway.inject({ method: 'POST', url: '/mcp', headers, body })).json().result
  }
  const refused = await mcp('slow_large')
  assert.deepEqual([refused.isError, refused.structuredContent.code], [true, 'ANSWER_TOO_LARGE'])
  const whole = await mcp('slow_double')
  assert.equal(whole.structuredContent.text.length, 12_000)
  // Each quote has two bytes in the result and four in its text: 72,000 together.
  assert.match(whole.content[0].text, /^The result is only in structuredContent/)
})
