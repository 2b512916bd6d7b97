import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { freePort } from '../support/ports.ts'
import { warmGateway } from './gateway/spawn.ts'

test('the official client goes on in its session after a SIGKILL and a start', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-session-'))
  const env = { GATEWAY_DATA_DIR: folder, GATEWAY_PORT: String(await freePort()) }
  const [first, second] = [warmGateway(), warmGateway()]
  try {
    const gateway = await first.start(env)
    const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`))
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transport as Transport)
    const { sessionId } = transport
    const before = await client.listTools()
    await gateway.kill()
    await second.start(env)
    assert.deepEqual(await client.listTools(), before)
    const { structuredContent } = await client.callTool({ name: 'tasks_create', arguments: { repo: 'kept', title: 'go on' } })
    assert.equal((structuredContent as { task?: { repo?: string } }).task?.repo, 'kept')
    assert.equal(transport.sessionId, sessionId)
    await client.close()
  } finally {
    await Promise.all([first.kill(), second.kill()])
    await rm(folder, { recursive: true, force: true })
  }
})
