import type { Principal } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'

/** Plants a tenant's data in every family that accepts text, in the store and outside of it: each contains `mark`. */
export async function plant(gateway: TestGateway, tenantId: string, mark: string): Promise<void> {
  const as: Partial<Principal> = { tenantId, kind: 'api-key', id: `key:${mark}`, label: mark, role: 'owner' }
  const call = (name: string, args: object) => gateway.call(name, args, { as })
  const text = `${mark} `.repeat(300)
  const { apiKey } = await gateway.tenants.issueKey(tenantId, { role: 'owner', environment: 'live', label: mark })
  await gateway.inject({ method: 'POST', url: '/api/sign-in', headers: { 'x-api-key': apiKey, 'user-agent': mark } })
  await call('plugin_tools_register', {
    name: `${mark}_tool`,
    description: mark,
    schema: { type: 'object' },
    handlerUrl: 'https://example.com/',
  })
  await call('webhooks.create', { url: `https://${mark}.example.com/`, events: ['*'], description: mark })
  await call('connectors_set', { key: mark, command: mark, description: mark, env: { SECRET: mark } })
  await call('memory_store', { content: text, repo: mark, tags: [mark] })
  for (let i = 0; i < 5; i++)
    await call('brain_commit', { kind: 'session', repo: mark, slug: `${mark}-${i}`, content: `${text}${i}`, pin: true })
  await call('brain_observe', { repo: mark, session: mark, tool: mark, target: mark, files: [mark] })
  for (let i = 0; i < 40; i++) await call('tasks_create', { repo: mark, title: `${mark} ${i}`, notes: text })
  const { task } = await call('tasks_create', { repo: mark, title: mark })
  await call('artifacts_register', { taskId: task.taskId, filename: `${mark}.txt`, content: text })
  await call('traces_record', { taskId: task.taskId, name: mark, attributes: { of: mark } })
  await call('job_history_record', { taskId: task.taskId, repo: mark, status: 'done', resultLine: mark })
  await call('tasks_delete', { taskId: task.taskId })
  await call('mail_send', { to: mark, from: mark, subject: mark, body: text })
  for (let i = 0; i < 300; i++) await call('logs_record', { correlationId: mark, message: text })
  await call('schedules_create', { name: mark, cronExpr: '0 9 1 1 *', kind: 'agent', target: mark, message: mark })
  await call('recurring_tasks_create', { name: mark, cronExpr: '0 9 1 1 *', repo: mark, title: mark })
  await call('lease_acquire', { key: mark, holder: `${mark}/1`, meta: { of: mark } })
  await call('plan_set', { repo: mark, days: [{ day: 1, focus: mark }] })
  await call('backlog_ledger_add', { titles: [mark] })
  await call('fleet_run_start', { runId: mark, agent: mark, repos: [{ repo: mark }] })
  await call('state_update', { repo: mark, heading: `## ${mark}`, content: text })
  await call('handoff_write', { repo: mark, content: text, summary: mark, author: mark, branch: mark, machine: mark })
  const at = new Date(gateway.clock.now()).toISOString()
  const session = { sessionId: 'sess-1', agentName: 'coder', status: 'active', createdAt: at, updatedAt: at }
  await call('session_import', {
    bundle: {
      version: 1,
      exportedAt: at,
      session: { ...session, messages: [{ messageId: 'msg-1', role: 'user', content: text, createdAt: at }] },
    },
  })
  await call('context_boot', { repo: mark, query: mark })
  await call('swarm_plan', { repo: mark, goal: mark, createdBy: mark, children: [{ title: mark, description: text }] })
  await call('dispatch_delegate', { from: mark, work: mark, description: text, to: mark })
  await call('mail_claim_as_task', { address: mark, claimedBy: mark, defaultRepo: mark })
  await call('runner_lease_acquire', { holder: mark, machine: mark, account: mark })
  await call('runner_heartbeat', { machine: mark })
  await call('repos_upsert', { name: mark, gitRemote: `https://example.com/${mark}`, group: mark })
  await call('repos_card_upsert', { repoName: mark, description: mark })
  await call('account_usage_record', { assets: [{ account: mark, kind: 'cloud_credit', note: mark }] })
  await call('notifications_send', { message: text, title: mark, source: mark })
  await call('brain_namespace_share', { namespace: mark, granteeTenantId: 'local', level: 'read' })
  await call('brain_stash', { slug: mark, content: text })
  await call('memory_store', { content: `a pattern of ${mark}`, source: 'pattern', tags: [mark] })
}
