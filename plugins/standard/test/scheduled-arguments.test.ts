import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal, startTestGateway } from '@gateway/testing'
import { standardPlugins } from '../src/index.ts'

const admin = { tenantId: 'acme', id: 'ann', kind: 'user', role: 'admin' } as const

const REFUSED: readonly (readonly [tool: string, args: object, field?: string])[] = [
  ['memory_search', {}, 'query'],
  ['memory_forget', {}, 'query'],
  ['memory_store', { repo: 'web', source: 'state', content: 'x', occurredAt: 'soon' }, 'occurredAt'],
  ['recall_session', { query: 'x', since: '2026-02-30' }, 'since'],
  ['schedules_create', { name: 'Inner', cronExpr: '99 * * * *', kind: 'tool', target: 'health_status' }, 'cronExpr'],
  ['recurring_tasks_create', { name: 'Tidy', title: 'Tidy', repo: 'web', cronExpr: '99 * * * *' }, 'cronExpr'],
  ['plan_set', { repo: 'web', startDate: '2026-02-30', days: [{ day: 1, focus: 'A day' }] }, 'startDate'],
  ['tasks_update', { taskId: 'task-1', status: 'review', deferSeconds: 60 }, 'deferSeconds'],
  ['tasks_list', { q: 'x', cursor: 'y' }, 'cursor'],
  ['mail_send', { to: 'No 5', from: 'ada' }, 'to'],
  ['mail_inbox', { to: 'No 5' }, 'to'],
  ['new_app', { idea: '…' }, 'name'],
  ['connectors_set', { key: 'mine', transport: 'http', url: 'ftp://example.com' }, 'url'],
  ['connectors_set', { key: 'mine', transport: 'http', command: 'npx' }, 'command'],
  ['connectors_set', { key: 'mine', env: { A: 'two\nlines' } }, 'env'],
  ['tasks_restore', {}, 'trashId'],
  ['plan_restore', {}, 'trashId'],
  ['schedules_update', { scheduleId: 'sched-1', message: 'x', clear: ['message'] }, 'clear'],
  ['job_history_record', { startedAtMs: 1e15 }, 'startedAtMs'],
  ['agents_invoke', { agent: 'summarizer', message: 'x', includeMemoryContext: true }, 'repo'],
  ['lease_acquire', { key: 'k', holder: 'm2/a', meta: { 'a.b': 1 } }, 'meta'],
  ['fleet_maintenance_enter', { resumeAt: '2030-01-01T00:00:00Z', resumeInMinutes: 5 }, 'resumeInMinutes'],
  ['dispatch_delegate', { work: 'x', from: 'ada', mode: 'mail' }, 'to'],
]

test('a schedule is refused for arguments that its tool refuses whatever is stored', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
  const schedule = (target: string, args: object) =>
    gateway.call(
      'schedules_create',
      { name: 'A job', cronExpr: '0 9 * * *', kind: 'tool', target, message: JSON.stringify(args) },
      { as: admin },
    )
  for (const [tool, args, field] of REFUSED) {
    await assert.rejects(gateway.call(tool, args, { as: admin }), refusal('BAD_REQUEST', field), tool)
    await assert.rejects(schedule(tool, args), refusal('BAD_REQUEST', 'message'), tool)
  }
  await assert.rejects(gateway.call('provider_reset', { provider: 'api' }, { as: admin }), refusal('FORBIDDEN'))
  await assert.rejects(schedule('provider_reset', { provider: 'api' }), refusal('FORBIDDEN'))
  assert.deepEqual((await gateway.call('schedules_list', {}, { as: admin })).schedules, [])
  await schedule('memory_search', { query: 'cache' })
})
