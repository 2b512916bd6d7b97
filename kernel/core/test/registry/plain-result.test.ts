import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

test('a handler may return its result without a promise', async () => {
  const tool = defineTool({
    name: 'returns_at_once',
    description: 'A tool.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ count: Type.Integer() }, closed),
    handle: (() => ({ count: 1 })) as never,
  })
  await using gateway = await startTestGateway({
    plugins: [definePlugin({ id: 'counting', sdk: '^1.0.0', description: 'Counts.', tools: [tool] })],
  })
  assert.deepEqual(await gateway.call('returns_at_once'), { count: 1 })
})
