import assert from 'node:assert/strict'
import { test } from 'node:test'
import artifacts from '@gateway/plugin-artifacts'
import brain from '@gateway/plugin-brain'
import git from '@gateway/plugin-git'
import mailbox from '@gateway/plugin-mailbox'
import memory from '@gateway/plugin-memory'
import outgoing from '@gateway/plugin-outgoing'
import plans from '@gateway/plugin-plans'
import repos from '@gateway/plugin-repos'
import schedules from '@gateway/plugin-schedules'
import state from '@gateway/plugin-state'
import swarms from '@gateway/plugin-swarms'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const start = (): Promise<TestGateway> =>
  startTestGateway({
    plugins: [trash, tasks, mailbox, swarms, git, outgoing, repos, state, plans, artifacts, memory, brain, schedules],
    listen: true,
  })

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

async function rpc(gateway: TestGateway, method: string, params: object, headers: Record<string, string> = {}) {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  return (await gateway.inject({ method: 'POST', url: '/mcp', headers: { ...ACCEPT, ...headers }, body })).json()
}

async function read(gateway: TestGateway, uri: string, headers: Record<string, string> = {}) {
  const { result, error } = await rpc(gateway, 'resources/read', { uri }, headers)
  if (error) return { error: error.message }
  assert.deepEqual([result.contents[0].uri, result.contents[0].mimeType], [uri, 'application/json'])
  return JSON.parse(result.contents[0].text)
}

/** Notifications of a stream, one by one. */
function notices(answer: Response) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async (): Promise<{ method: string; params: { uri?: string } }> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const data = /^data: (\{.*)$/m.exec(text.slice(0, end))?.[1]
        text = text.slice(end + 2)
        if (data !== undefined) return JSON.parse(data)
        continue
      }
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) throw new Error('the stream ended')
      text += value
    }
  }
}

/** Work that changes a task, its history, a mailbox, a swarm, a handoff and a plan, and the URIs that must be told. */
async function begin(gateway: TestGateway) {
  const { swarm, children } = await gateway.call('swarm_plan', {
    repo: 'web',
    goal: 'Ship',
    createdBy: 'director',
    children: [{ title: 'one' }],
  })
  const { taskId } = children[0]
  const draft = { name: 'Look', cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list', message: '{}' }
  const { schedule } = await gateway.call('schedules_create', draft)
  const { scheduleId } = schedule
  const { swarmId } = swarm
  const work = async () => {
    await gateway.call('swarm_approve', { swarmId })
    await gateway.call('tasks_claim', { claimedBy: 'ada', taskId })
    await gateway.call('mail_send', { to: 'HOST/web', from: 'ada', body: 'hello' })
    await gateway.call('handoff_write', { repo: 'web', content: 'The rest is open.', summary: 'Half done' })
    await gateway.call('plan_set', { repo: 'web', days: [{ day: 1, focus: 'Ship' }] })
    await gateway.call('schedules_run_now', { scheduleId })
    await gateway.call('brain_commit', { repo: 'web', kind: 'session', slug: 'header', content: 'The header is blue.' })
  }
  const uris = [`task://${taskId}`, `task://${taskId}/history`, `swarm://${swarmId}`, 'mailbox://host%2Fweb', 'handoff://web', 'plan://web']
  uris.push(`schedule://${scheduleId}/runs`, 'brief://web')
  return { taskId, swarmId, scheduleId, work, uris }
}

async function until(next: () => Promise<{ method: string; params: { uri?: string } }>, uris: readonly string[]) {
  const missing = new Set(uris)
  while (missing.size > 0) {
    const { params } = await next()
    if (params.uri !== undefined) missing.delete(params.uri)
  }
}

test('tasks, histories, mailboxes, swarms, handoffs, plans, runs of schedules, briefs and artifacts are read as resources', async () => {
  await using gateway = await start()
  const { taskId, swarmId, scheduleId, work } = await begin(gateway)
  await work()
  const { artifact } = await gateway.call('artifacts_register', { taskId, content: 'log' })
  assert.equal((await read(gateway, `task://${taskId}`)).task.claimedBy, 'ada')
  assert.equal((await read(gateway, `task://${taskId}/history`)).events.at(-1).what, 'claimed')
  assert.equal((await read(gateway, `swarm://${swarmId}`)).swarm.status, 'active')
  assert.equal((await read(gateway, 'mailbox://host%2Fweb')).messages[0].body, 'hello')
  assert.equal((await read(gateway, 'handoff://web')).latest.summary, 'Half done')
  assert.equal((await read(gateway, 'plan://web')).days[0].focus, 'Ship')
  assert.equal((await read(gateway, `schedule://${scheduleId}/runs`)).runs[0].status, 'success')
  assert.match((await read(gateway, 'brief://web')).brief, /The header is blue/)
  assert.equal((await read(gateway, `artifact://${artifact.artifactId}`)).content, 'log')
  assert.deepEqual(await read(gateway, 'task://task-none'), { error: 'Resource not found' })
})

test('another tenant finds none of them', async () => {
  await using gateway = await start()
  const { taskId } = await begin(gateway)
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' })
  assert.deepEqual(await read(gateway, `task://${taskId}`, { 'x-api-key': apiKey }), { error: 'Resource not found' })
})

test('subscriptions/listen tells of each change', async () => {
  await using gateway = await start()
  const { work, uris } = await begin(gateway)
  const info = { name: 'test', version: '1' }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const body = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { _meta, notifications: { resourceSubscriptions: uris } } }
  const headers = { ...ACCEPT, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const disconnect = new AbortController()
  const next = notices(
    await fetch(`${gateway.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body), signal: disconnect.signal }),
  )
  assert.equal((await next()).method, 'notifications/subscriptions/acknowledged')
  await work()
  await until(next, uris)
  disconnect.abort()
})

test('resources/subscribe tells a session of each change', async () => {
  await using gateway = await start()
  const { work, uris } = await begin(gateway)
  const post = (message: object, headers: Record<string, string>) =>
    fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: { ...ACCEPT, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const opened = await post({ id: 0, method: 'initialize', params }, {})
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
  await post({ method: 'notifications/initialized' }, session)
  for (const [id, uri] of uris.entries()) await post({ id: id + 1, method: 'resources/subscribe', params: { uri } }, session)
  const disconnect = new AbortController()
  const next = notices(
    await fetch(`${gateway.url}/mcp`, { headers: { accept: 'text/event-stream', ...session }, signal: disconnect.signal }),
  )
  await work()
  await until(next, uris)
  disconnect.abort()
})
