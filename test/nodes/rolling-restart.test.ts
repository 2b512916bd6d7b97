import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { database, Node, skip } from './nodes.ts'
import { readinessProxy } from './readiness-proxy.ts'

const WORKERS = 6
const settings = { GATEWAY_DRAIN_MS: '1500', GATEWAY_CALLS_PER_MINUTE_PER_KEY: '0' }

interface Answered {
  readonly status: number
  readonly what: string
  readonly text: string
}

test(`three gateways behind a load balancer are restarted one by one, and no call fails${skip ? ` (${skip})` : ''}`, {
  skip: skip !== false,
  timeout: 600_000,
}, async () => {
  const url = database()
  const nodes = [0, 1, 2].map(() => new Node(url, settings, 'disturbed-node.ts'))
  for (const node of nodes) await node.start()
  const proxy = await readinessProxy(nodes.map((node) => () => (node.isRunning ? node.url : undefined)))
  const failed: Answered[] = []
  let calls = 0
  let waits = 0
  let isOver = false

  async function send(what: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    const response = await fetch(proxy.url + path, init).catch((error: Error) => error)
    const status = response instanceof Error ? 0 : response.status
    const text = response instanceof Error ? String(response.cause ?? response) : await response.text()
    calls++
    if (status !== 200) failed.push({ status, what, text })
    return { text, session: response instanceof Error ? null : response.headers.get('mcp-session-id') }
  }

  /** Creates a task, claims one and completes it, over REST. */
  async function work(worker: number): Promise<void> {
    const repo = `repo-${worker}`
    while (!isOver) {
      await send('create', '/api/tools/tasks_create', { repo, title: 'to do' })
      const { task } = JSON.parse((await send('claim', '/api/tools/tasks_claim', { repo, claimedBy: `worker-${worker}` })).text)
      if (task) await send('complete', '/api/tools/tasks_update', { taskId: task.taskId, claimId: task.claimId, status: 'done' })
    }
  }

  /** Waits for work that never comes; a stop of its gateway answers it early. */
  async function wait(): Promise<void> {
    while (!isOver) {
      await send('wait', '/api/tools/tasks_claim', { repo: 'empty', claimedBy: 'waiter', waitSeconds: 5 })
      waits++
    }
  }

  /** A session of MCP with the handshake, which goes on at whichever gateway is asked. */
  async function session(): Promise<void> {
    const accept = { accept: 'application/json, text/event-stream' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const begun = await send('initialize', '/mcp', { jsonrpc: '2.0', id: 0, method: 'initialize', params }, accept)
    const headers = { ...accept, 'mcp-session-id': begun.session ?? '', 'mcp-protocol-version': '2025-06-18' }
    for (let id = 1; !isOver; id++) {
      const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'tasks_list', arguments: { limit: 1 } } }
      const { text } = await send('tools/call', '/mcp', call, headers)
      if (!text.includes('"result"')) failed.push({ status: 200, what: 'tools/call', text })
      await sleep(20)
    }
  }

  try {
    const clients = [...Array.from({ length: WORKERS }, (_, worker) => work(worker)), wait(), wait(), session()]
    const served = []
    for (const [n, node] of nodes.entries()) {
      const before = calls
      await node.stop()
      assert.ok(calls > before, 'the others served calls meanwhile')
      await node.start()
      const atStart = proxy.served[n] as number
      while ((proxy.served[n] as number) < atStart + 5) await sleep(20)
      served.push(calls - before)
    }
    isOver = true
    await Promise.all(clients)
    assert.deepEqual(failed, [])
    assert.ok(waits > 0)
    assert.ok(served.every((count) => count > 0))
  } finally {
    isOver = true
    proxy.close()
    await Promise.all(nodes.map((node) => node.dispose()))
  }
})
