import assert from 'node:assert/strict'
import { test } from 'node:test'
import mailbox from '@gateway/plugin-mailbox'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const start = (env: Record<string, string> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [trash, tasks, mailbox], listen: true, env })

interface Sent {
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
  readonly args?: object
}

/** Sends a claim that waits, again if the gateway takes no further call just then. */
async function claim(gateway: TestGateway, { headers = {}, signal, args = {} }: Sent = {}): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`${gateway.url}/api/tasks/claim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ claimedBy: 'ada', waitSeconds: 55, ...args }),
      ...(signal && { signal }),
    })
    if (response.status !== 503 || attempt === 200) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const body = async (response: Promise<Response>): Promise<Record<string, unknown>> =>
  (await (await response).json()) as Record<string, unknown>

async function create(gateway: TestGateway, tenantId = 'local', repo = 'web'): Promise<string> {
  return (await gateway.call('tasks_create', { repo, title: 'A task' }, { as: { tenantId } })).task.taskId
}

async function waiting(gateway: TestGateway, count: number): Promise<void> {
  for (;;) {
    const { body } = await gateway.inject({ method: 'GET', url: '/metrics' })
    if (body.includes(`gateway_calls_waiting ${count}\n`)) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('waiting calls take no share of the calls in flight', async () => {
  await using gateway = await start({ GATEWAY_MAX_IN_FLIGHT: '2' })
  const calls = Array.from({ length: 12 }, () => body(claim(gateway)))
  const all = Promise.all(calls)
  await waiting(gateway, 12)
  const operations = Array.from({ length: 12 }, () => ({ action: 'create', repo: 'web', title: 'x' }))
  const created = await gateway.call('tasks_bulk', { operations })
  assert.equal(created.succeeded, 12)
  assert.equal(new Set((await all).map(({ task }) => (task as { taskId: string }).taskId)).size, 12)
})

test('a waiting call over GET is answered as well', async () => {
  await using gateway = await start()
  const next = fetch(`${gateway.url}/api/tasks/next?waitSeconds=55`).then((response) => response.json())
  const mail = fetch(`${gateway.url}/api/mail?to=web&waitSeconds=55`).then((response) => response.json())
  await waiting(gateway, 2)
  const taskId = await create(gateway)
  await gateway.call('mail_send', { to: 'web', subject: 'hello' })
  assert.equal(((await next) as { task: { taskId: string } }).task.taskId, taskId)
  assert.equal(((await mail) as { messages: { subject: string }[] }).messages[0]?.subject, 'hello')
})

test('a call whose client disconnects gets no task', async () => {
  await using gateway = await start()
  const abort = new AbortController()
  const gone = assert.rejects(claim(gateway, { signal: abort.signal }))
  await waiting(gateway, 1)
  abort.abort()
  await gone
  await waiting(gateway, 0)
  const taskId = await create(gateway)
  assert.equal((await gateway.call('tasks.get', { taskId })).task.status, 'pending')
})

test('a key that is revoked while its call waits receives nothing', async () => {
  await using gateway = await start()
  const { tenantId } = await gateway.tenants.create({ name: 'Acme', plan: 'team' })
  const { apiKey, keyId } = await gateway.tenants.issueKey(tenantId, { role: 'member', environment: 'live' })
  const { apiKey: other } = await gateway.tenants.issueKey(tenantId, { role: 'member', environment: 'live' })
  const [first, second] = [
    claim(gateway, { headers: { 'x-api-key': apiKey } }),
    claim(gateway, { headers: { 'x-api-key': apiKey }, args: { repo: 'api' } }),
  ]
  await waiting(gateway, 2)
  await gateway.tenants.revokeKey(tenantId, keyId)
  const taskId = await create(gateway, tenantId)
  const refused = await first
  assert.deepEqual([refused.status, (await body(Promise.resolve(refused))).code], [401, 'UNAUTHORIZED'])
  assert.equal((await gateway.call('tasks.get', { taskId }, { as: { tenantId } })).task.status, 'pending')
  gateway.clock.advance(56)
  assert.equal((await second).status, 401)
  assert.equal((await claim(gateway, { headers: { 'x-api-key': other } })).status, 200)
})

test('the waiting calls of a tenant end at once when it is suspended', async () => {
  await using gateway = await start()
  const { tenantId } = await gateway.tenants.create({ name: 'Acme', plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey(tenantId, { role: 'member', environment: 'live' })
  const call = claim(gateway, { headers: { 'x-api-key': apiKey } })
  await waiting(gateway, 1)
  await gateway.tenants.suspend(tenantId, 'unpaid')
  const refused = await call
  assert.deepEqual([refused.status, (await body(Promise.resolve(refused))).code], [403, 'TENANT_SUSPENDED'])
})

test('when the gateway stops its waiting calls get the usual empty answer', async () => {
  const gateway = await start()
  const calls = [body(claim(gateway)), body(fetch(`${gateway.url}/api/mail?to=web&waitSeconds=55`))]
  await waiting(gateway, 2)
  const begun = performance.now()
  await gateway.stop()
  assert.deepEqual(await Promise.all(calls), [{ claimed: false }, { messages: [], unreadCount: 0 }])
  assert.ok(performance.now() - begun < 9_000, 'the stop waited for its time limit')
})
