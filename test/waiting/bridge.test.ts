import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { startBridge } from '../support/bridge-process.ts'

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'waiting', version: '1' } }
const STATELESS = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
const CLAIM = { claimedBy: 'ada', waitSeconds: 55 }

const start = (): Promise<TestGateway> => startTestGateway({ plugins: [trash, tasks], listen: true })

async function create(gateway: TestGateway): Promise<string> {
  return (await gateway.call('tasks_create', { repo: 'web', title: 'A task' })).task.taskId
}

async function waiting(gateway: TestGateway, count: number): Promise<void> {
  for (;;) {
    const { body } = await gateway.inject({ method: 'GET', url: '/metrics' })
    if (body.includes(`gateway_calls_waiting ${count}\n`)) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

for (const [era, meta] of [
  ['with a handshake', {}],
  ['without one', STATELESS],
] as const) {
  test(`a call that waits over standard streams reports its progress, and one that is cancelled takes no task: ${era}`, async () => {
    await using gateway = await start()
    const bridge = startBridge(gateway.url)
    if (meta !== STATELESS) {
      await bridge.request('initialize', HELLO)
      bridge.notify('notifications/initialized')
    }
    const claim = (more: object) => bridge.request('tools/call', { name: 'tasks_claim', arguments: CLAIM, _meta: { ...meta, ...more } })
    const progress = bridge.notification('notifications/progress')
    const claimed = claim({ progressToken: 'p' })
    await waiting(gateway, 1)
    const clock = setInterval(() => gateway.clock.advance(5), 100)
    assert.equal((await progress).params.progressToken, 'p')
    clearInterval(clock)
    const taken = await create(gateway)
    assert.equal((await claimed).result.structuredContent.task.taskId, taken)

    void claim({}).catch(() => {})
    await waiting(gateway, 1)
    bridge.notify('notifications/cancelled', { requestId: bridge.lastId })
    await waiting(gateway, 0)
    const left = await create(gateway)
    assert.equal((await gateway.call('tasks.get', { taskId: left })).task.status, 'pending')
    await bridge.close()
  })
}

test('gateway call waits for a task; with the same key it prints the first answer again', async () => {
  await using gateway = await start()
  const call = (...more: string[]) => {
    const argv = ['call', 'tasks_claim', JSON.stringify(CLAIM), '--url', gateway.url, ...more]
    return runCommand({ plugins: async () => [], argv, env: { HOME: '/nonexistent' }, cwd: '/' })
  }
  const claimed = call()
  await waiting(gateway, 1)
  const first = await create(gateway)
  assert.equal((await claimed).json().task.taskId, first)
  await create(gateway)
  const named = (await call('--key', 'mine')).json().task
  assert.notEqual(named.taskId, first)
  assert.deepEqual((await call('--key', 'mine')).json().task, named)
})
