import type { Principal } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'

/** Work of a tenant in whatever family takes its words, in the store and outside of it: in each of them `mark` stands. */
export async function plant(gateway: TestGateway, tenantId: string, mark: string): Promise<void> {
  const as: Partial<Principal> = { tenantId, kind: 'api-key', id: `key:${mark}`, label: mark, role: 'owner' }
  const call = (name: string, args: object) => gateway.call(name, args, { as })
  const text = `${mark} `.repeat(300)
  await gateway.tenants.issueKey(tenantId, { role: 'owner', environment: 'live', label: mark })
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
}
