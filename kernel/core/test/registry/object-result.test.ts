import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const tool = (name: string, handle: () => unknown) =>
  defineTool({
    name,
    description: 'A tool.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Unknown() as never,
    handle: handle as never,
  })

test('over MCP a tool that returns no object fails with its name in the log; one that returns an object without a promise works', async () => {
  const wrong: Readonly<Record<string, unknown>> = { a_list: [1, 2], null: null, nothing: undefined, a_string: 'text', a_number: 1 }
  const tools = [
    tool('returns_at_once', () => ({ count: 1 })),
    ...Object.entries(wrong).map(([name, result]) => tool(`returns_${name}`, async () => result)),
  ]
  const plugin = definePlugin({ id: 'counting', sdk: '^1.0.0', description: 'Counts.', tools })
  await using gateway = await startTestGateway({ plugins: [plugin], config: { counting: {} } })
  const call = (name: string, via: 'mcp' | 'rest' = 'mcp') => gateway.call(name, {}, { via })
  assert.deepEqual(await call('returns_at_once'), { count: 1 })
  for (const name of Object.keys(wrong)) await assert.rejects(call(`returns_${name}`), { code: 'INTERNAL_ERROR' }, name)
  assert.match(JSON.stringify(gateway.logs), /a tool must return an object; got a list/)
})
