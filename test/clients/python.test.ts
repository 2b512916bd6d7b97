import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import conformance from '@gateway/example-conformance'
import { startTestGateway } from '@gateway/testing'
import { missing, run } from './program.ts'

/** `pip install mcp==2.3.0`, in the environment that `python3` comes from. */
const reason = missing('python3', ['-c', 'from mcp import Client'])

for (const [mode, version] of [
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
  ['2026-07-28', '2026-07-28'],
] as const) {
  const name = `the official Python client in mode ${mode} speaks ${version} with the gateway`
  test(reason ? `${name} (skipped: ${reason})` : name, { skip: reason !== undefined }, async () => {
    await using gateway = await startTestGateway({ plugins: [conformance], listen: true })
    const { code, stdout, stderr } = await run('python3', [join(import.meta.dirname, 'agent.py'), `${gateway.url}/mcp`, mode])
    assert.equal(code, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), {
      version,
      tools: conformance.tools.map((tool) => tool.name),
      unknown: -32602,
      greeted: 'Hello, Ada!',
      refused: true,
      progress: [0, 50, 100],
      asked: 'Hello, Ada!',
      sampled: 'The model said: You asked: Well?',
      read: 'The same text for every reader.',
      prompted: 'Say something simple.',
    })
  })
}
