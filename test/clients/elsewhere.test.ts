import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { warmGateway } from '../crash/gateway/spawn.ts'
import { freePort } from '../support/ports.ts'
import { type ForeignClient, onNode, onPython } from './elsewhere.ts'

const clients: readonly (readonly [string, () => ForeignClient])[] = [
  ['the AI SDK', () => onNode('ai-sdk.mjs')],
  ['LangChain’s adapter', () => onNode('langchain.mjs')],
  ['OpenAI’s Agents SDK', () => onNode('openai-agents.mjs')],
  ['OpenAI’s Agents SDK for Python', () => onPython('openai_agents.py', 'session-3')],
  ['a client behind mcp-remote', () => onNode('mcp-remote.mjs')],
  ['the official Python client of the handshake era', () => onPython('session.py', 'session-1')],
  ['LangChain’s adapter for Python', () => onPython('langchain.py', 'session-1')],
  ['FastMCP', () => onPython('fastmcp_client.py', 'session-2')],
  ['CrewAI’s way to tools, with null for every optional argument', () => onPython('crewai_tools.py', 'session-4')],
]

const seen = {
  tools: standardPlugins.flatMap(({ tools }) => tools.filter(({ listing }) => listing === 'default' || listing === 'core')).length,
  repo: 'kept',
}

for (const [name, client] of clients) {
  test(`${name} connects at the first try, and goes on after a SIGKILL and a start`, { timeout: 600_000 }, async (t) => {
    const found = client()
    if ('missing' in found) return t.skip(found.missing)
    const folder = await mkdtemp(join(tmpdir(), 'gateway-elsewhere-'))
    const env = { GATEWAY_DATA_DIR: folder, GATEWAY_PORT: String(await freePort()) }
    const [first, second] = [warmGateway(), warmGateway()]
    try {
      const gateway = await first.start(env)
      const [program = '', ...args] = found.command
      const agent = spawn(program, [...args, `${gateway.url}/mcp`], { stdio: ['pipe', 'pipe', 'inherit'] })
      const exited = once(agent, 'exit')
      const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]()
      assert.deepEqual(JSON.parse((await lines.next()).value ?? '{}'), seen)
      await gateway.kill()
      await second.start(env)
      agent.stdin.write('again\n')
      assert.deepEqual(JSON.parse((await lines.next()).value ?? '{}'), seen)
      agent.stdin.end()
      await exited
    } finally {
      await Promise.all([first.kill(), second.kill()])
      await rm(folder, { recursive: true, force: true })
    }
  })
}
