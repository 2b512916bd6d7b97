import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributed, type Tool } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { refusal, startTestGateway, type TestGateway } from '@gateway/testing'

const start = (): Promise<TestGateway> => startTestGateway({ plugins: standardPlugins })
const agent3 = { as: { kind: 'api-key', id: 'key:k3', role: 'member', label: 'agent-3' } } as const
const unlabelled = { as: { kind: 'api-key', id: 'key:k4', role: 'member' } } as const

test('records keep the principal beside the name that a caller reports', async () => {
  await using gateway = await start()
  await gateway.call('tasks_create', { repo: 'web', title: 'x' })
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'm2/agent-5' }, agent3)
  assert.deepEqual([task.claimedBy, task.claimedByPrincipal], ['m2/agent-5', 'key agent-3'])
  const { message } = await gateway.call('mail_send', { to: 'web', from: 'm2/agent-5' }, agent3)
  assert.deepEqual([message.from, message.fromPrincipal], ['m2/agent-5', 'key agent-3'])
  const { lease } = await gateway.call('lease_acquire', { key: 'k', holder: 'm2/agent-5' }, agent3)
  assert.deepEqual([lease.holder, lease.holderPrincipal], ['m2/agent-5', 'key agent-3'])
  const slot = await gateway.call('runner_lease_acquire', { holder: 'm2/agent-5' }, agent3)
  assert.equal(slot.lease.holderPrincipal, 'key agent-3')
  const { handoff } = await gateway.call('handoff_write', { repo: 'web', content: 'x', author: 'm2/agent-5' }, agent3)
  assert.deepEqual([handoff.author, handoff.authorPrincipal], ['m2/agent-5', 'key agent-3'])
  const { swarm } = await gateway.call(
    'swarm_plan',
    { repo: 'web', goal: 'x', createdBy: 'm2/agent-5', children: [{ title: 'y' }] },
    agent3,
  )
  assert.deepEqual([swarm.plannedBy, swarm.plannedByPrincipal], ['m2/agent-5', 'key agent-3'])
})

test('an atom, its pin, a session and the greeting of a boot name a key by its label', async () => {
  await using gateway = await start()
  const { atom } = await gateway.call('brain_commit', { kind: 'memory', slug: 'lru', content: 'Caches are LRU.' }, agent3)
  assert.equal(atom.author, 'key agent-3')
  const { hits } = await gateway.call('brain_search', { query: 'caches' })
  assert.equal(hits[0].atom.author, 'key agent-3')
  const again = await gateway.call('brain_commit', { kind: 'memory', slug: 'lru', content: 'Caches are LRU.' })
  assert.deepEqual([again.created, again.atom.author], [false, 'key agent-3'], 'who wrote it does not make it another atom')
  await gateway.call('sessions.begin', { sessionId: 's1', host: 'claude-code', repo: 'web' }, agent3)
  const { sessions } = await gateway.call('sessions.list')
  assert.equal(sessions[0].principal, 'key agent-3')
  assert.match((await gateway.call('context_boot', { repo: 'web' }, agent3)).bundle, /You are `agent-3`/)
})

test('the story of a task has both, also after the claim, and pages show them as m2/agent-5 (key agent-3)', async () => {
  await using gateway = await start()
  await gateway.call('tasks_create', { repo: 'web', title: 'x' })
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'm2/agent-5' }, agent3)
  await gateway.call('tasks_update', { taskId: task.taskId, status: 'done' }, agent3)
  const { json } = await gateway.inject({ method: 'GET', url: `/api/tasks/${task.taskId}/history` })
  const { by, byPrincipal } = json().events.find(({ what }: { what: string }) => what === 'claimed')
  assert.deepEqual([by, byPrincipal, attributed(by, byPrincipal)], ['m2/agent-5', 'key agent-3', 'm2/agent-5 (key agent-3)'])
  const { pages } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages' })).json()
  const page = pages.find(({ path }: { path: string }) => path === '/tasks/:taskId')
  const field = page.panels[0].fields.find(({ label }: { label: string }) => label === 'Claimed by')
  assert.deepEqual([field.value, field.beside], ['/claimedBy', '/claimedByPrincipal'])
})

test('the label of a key is the default for the names of its caller', async () => {
  await using gateway = await start()
  await gateway.call('tasks_create', { repo: 'web', title: 'x' })
  assert.equal((await gateway.call('tasks_claim', {}, agent3)).task.claimedBy, 'agent-3')
  assert.equal((await gateway.call('mail_send', { to: 'web' }, agent3)).message.from, 'agent-3')
  const { lease } = await gateway.call('lease_acquire', { key: 'k' }, agent3)
  assert.equal(lease.holder, 'key/agent-3')
  assert.equal((await gateway.call('lease_heartbeat', { key: 'k', epoch: lease.epoch }, agent3)).ok, true)
  assert.equal((await gateway.call('lease_release', { key: 'k', epoch: lease.epoch }, agent3)).released, true)
  assert.equal((await gateway.call('runner_lease_acquire', {}, agent3)).lease.holder, 'agent-3')
  assert.equal((await gateway.call('handoff_write', { repo: 'web', content: 'x' }, agent3)).handoff.author, 'agent-3')
  assert.equal((await gateway.call('dispatch_delegate', { work: 'x', to: 'web' }, agent3)).message.from, 'agent-3')
  assert.deepEqual((await gateway.call('mail_claim_as_task', { address: 'web' }, agent3)).claimed.length, 1)
})

test('without a name and without a label the call is refused, naming the argument, and nothing changes', async () => {
  await using gateway = await start()
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'x' })
  for (const [tool, args, field] of [
    ['tasks_claim', {}, 'claimedBy'],
    ['lease_acquire', { key: 'k' }, 'holder'],
    ['runner_lease_acquire', {}, 'holder'],
    ['dispatch_delegate', { work: 'x', to: 'web' }, 'from'],
    ['mail_claim_as_task', { address: 'web' }, 'claimedBy'],
  ] as const) {
    await assert.rejects(gateway.call(tool, args, unlabelled), refusal('BAD_REQUEST', field))
  }
  assert.equal((await gateway.call('tasks.get', { taskId: task.taskId })).task.status, 'pending')
})

test('mail_inbox without `to` returns everything addressed to its caller, by label and by id', async () => {
  await using gateway = await start()
  for (const to of ['agent-3', 'key:k3', 'agent-4']) await gateway.call('mail_send', { to, from: 'ada', subject: to })
  const { messages, unreadCount } = await gateway.call('mail_inbox', {}, agent3)
  assert.deepEqual(messages.map(({ subject }: { subject: string }) => subject).sort(), ['agent-3', 'key:k3'])
  assert.equal(unreadCount, 2)
})

test('an audit record names its subject: the ids among the arguments, also of a refused call', async () => {
  await using gateway = await start()
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'x' })
  await gateway.call('tasks_update', { taskId: task.taskId, priority: 'P0' })
  await gateway.call('lease_acquire', { key: 'deploy', holder: 'm2/agent-5' })
  await assert.rejects(gateway.call('tasks_update', { taskId: 'task-0', priority: 'P0' }))
  const records = (await gateway.audit()) as { tool: string; subject?: object }[]
  const subjects = (name: string) => records.filter(({ tool }) => tool === name).map(({ subject }) => subject)
  assert.deepEqual(subjects('tasks_create'), [{ repo: 'web' }])
  assert.deepEqual(subjects('tasks_update'), [{ taskId: task.taskId }, { taskId: 'task-0' }])
  assert.deepEqual(subjects('lease_acquire'), [{ key: 'deploy' }])
})

test('GET /api/agents/{name}/activity shows what an agent holds, did and failed at', async () => {
  await using gateway = await start()
  for (const title of ['held', 'done', 'failed']) await gateway.call('tasks_create', { repo: 'web', title })
  const claim = async () => (await gateway.call('tasks_claim', { claimedBy: 'm2/agent-5' })).task
  await claim()
  await gateway.call('tasks_update', { taskId: (await claim()).taskId, status: 'done' })
  await gateway.call('tasks_fail', { taskId: (await claim()).taskId, error: 'No network.' })
  await gateway.call('lease_acquire', { key: 'deploy', holder: 'm2/agent-5' })
  await gateway.call('runner_lease_acquire', { holder: 'm2/agent-5' })
  const { status, json } = await gateway.inject({ method: 'GET', url: `/api/agents/${encodeURIComponent('m2/agent-5')}/activity` })
  const { agent, holds, did, failed, spentUsd } = json()
  assert.deepEqual([status, agent, spentUsd], [200, 'm2/agent-5', 0])
  assert.deepEqual(holds.map(({ kind }: { kind: string }) => kind).sort(), ['lease', 'runner-slot', 'task'])
  assert.deepEqual(
    did.map(({ title }: { title: string }) => title),
    ['done'],
  )
  assert.deepEqual(
    failed.map(({ title, error }: { title: string; error: string }) => [title, error]),
    [['failed', 'No network.']],
  )
  const nobody = (await gateway.inject({ method: 'GET', url: '/api/agents/nobody/activity' })).json()
  assert.deepEqual([nobody.holds, nobody.did, nobody.failed], [[], [], []])
})

test('the audit record of a call over MCP names the client as it reports itself, in both eras', async () => {
  await using gateway = await start()
  const post = (body: object, headers: Record<string, string> = {}) =>
    gateway.inject({ method: 'POST', url: '/mcp', headers: { accept: 'application/json, text/event-stream', ...headers }, body })
  const call = { name: 'tasks_create', arguments: { repo: 'web', title: 'x' } }
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'claude-code', version: '2.1' } }
  const { headers } = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })
  const session = String(headers['mcp-session-id'])
  await gateway.restart()
  await post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }, { 'mcp-session-id': session })
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'codex' },
  }
  const stateless = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tasks_create' }
  await post({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { ...call, _meta: meta } }, stateless)
  const records = (await gateway.audit()) as { tool: string; client?: string }[]
  assert.deepEqual(
    records.filter(({ tool }) => tool === 'tasks_create').map(({ client }) => client),
    ['claude-code 2.1', 'codex'],
  )
})

test('usage names keys by their labels, and does not count the calls that calls make', async () => {
  await using gateway = await start()
  const key = { label: 'agent-3', role: 'member', environment: 'live' }
  const { json } = await gateway.inject({ method: 'POST', url: '/api/keys', body: key })
  const caller = { as: { kind: 'api-key', id: `key:${json().keyId}`, role: 'member', label: 'agent-3' } } as const
  await gateway.call('dispatch_delegate', { work: 'x', to: 'web' }, caller)
  await gateway.restart()
  const { byMember, byTool } = await gateway.call('usage.breakdown', {})
  assert.deepEqual(
    byMember.filter(({ member }: { member: string }) => member === 'agent-3'),
    [{ member: 'agent-3', quantity: 1 }],
  )
  assert.deepEqual(
    byTool.filter(({ tool }: { tool: string }) => tool === 'dispatch_delegate' || tool === 'mail_send'),
    [{ tool: 'dispatch_delegate', quantity: 1 }],
  )
})

test('heartbeats, maintenance and cards of apps keep the principal beside the name, whose default is the label', async () => {
  await using gateway = await start()
  const asAgent3 = { as: { ...agent3.as, role: 'admin' } } as const
  const beat = (args: object = {}) => gateway.call('runner_heartbeat', { machine: 'm2', ...args }, asAgent3)
  const { runner } = await beat()
  assert.deepEqual([runner.holder, runner.holderPrincipal], ['agent-3', 'key agent-3'])
  const named = (await beat({ holder: 'm2/lane/7' })).runner
  assert.deepEqual([named.holder, named.holderPrincipal], ['m2/lane/7', 'key agent-3'])
  assert.equal((await gateway.call('runner_heartbeat', { machine: 'm2' })).runner.holder, 'm2/lane/7')

  const { maintenance } = await gateway.call('fleet_maintenance_enter', { operator: 'ann' }, asAgent3)
  assert.deepEqual([maintenance.operator, maintenance.operatorPrincipal], ['ann', 'key agent-3'])

  const report = async (args: object) => (await gateway.call('repos_card_upsert', { repoName: 'web', ...args }, asAgent3)).card
  const { reportedBy, reportedByPrincipal } = await report({ lastStatus: 'up' })
  assert.deepEqual([reportedBy, reportedByPrincipal], ['agent-3', 'key agent-3'])
  const cleared = await report({ reportedBy: '' })
  assert.deepEqual([cleared.reportedBy, cleared.reportedByPrincipal], [undefined, undefined])
})

test('every tool that changes something named has a subject, the items of a batch included', async () => {
  await using gateway = await start()
  const ids = await Promise.all(
    ['a', 'b'].map(async (title): Promise<string> => (await gateway.call('tasks_create', { repo: 'web', title })).task.taskId),
  )
  const operations = ids.map((taskId) => ({ action: 'update', taskId, priority: 'P0' }))
  await gateway.call('tasks_bulk', { operations: [...operations, operations[0], { action: 'create', repo: 'web', title: 'c' }] })
  await gateway.call('repos_upsert', { name: 'web' })
  await gateway.call('runner_lease_release', { slot: 1, holder: 'm2' })
  const records = (await gateway.audit()) as { tool: string; subject?: object }[]
  const subject = (name: string) => records.find(({ tool }) => tool === name)?.subject
  assert.deepEqual(subject('tasks_bulk'), { taskId: ids.join(' ') })
  assert.deepEqual(subject('repos_upsert'), { name: 'web' })
  assert.deepEqual(subject('runner_lease_release'), { slot: '1' })

  const identifies = /^(id|.+Id|repo|key|slug|agent|skill|machine|provider)$/
  const required = ({ input }: Tool): readonly string[] => (input as { required?: readonly string[] }).required ?? []
  const named = ({ subject, input }: Tool): boolean =>
    subject !== undefined || Object.keys((input as { properties?: object }).properties ?? {}).some((name) => identifies.test(name))
  const without = standardPlugins
    .flatMap(({ tools }) => tools)
    .filter((tool) => tool.effect !== 'read' && required(tool).length > 0 && !named(tool))
    .map(({ name }) => name)
  // These take texts and documents, and the calls that are passed on are recorded under the tool that they name.
  assert.deepEqual(without.sort(), [
    'backlog_cursor_set',
    'backlog_ledger_add',
    'marketplace_publish',
    'repos_scan',
    'tools_call_destructive',
    'tools_call_write',
  ])
})
