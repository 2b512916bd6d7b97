import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { verifyAudit } from '@gateway/audit'
import { DAY, start, type TestGateway, tenant } from './support.ts'

const titles = async (gateway: TestGateway, tenantId = 'local') =>
  (await gateway.call('tasks_list', {}, { as: { tenantId } })).tasks.map(({ title }: { title: string }) => title).sort()

async function task(gateway: TestGateway, status: string, tenantId = 'local'): Promise<string> {
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: status }, { as: { tenantId } })
  if (status !== 'pending') await gateway.call('tasks_update', { taskId: task.taskId, status }, { as: { tenantId } })
  return task.taskId
}

test('tasks that ended before their retention go, and others stay whatever their age', async () => {
  await using gateway = await start()
  for (const status of ['pending', 'working', 'review', 'done', 'blocked', 'paused', 'dead_letter']) await task(gateway, status)
  gateway.clock.advance(90 * DAY)
  assert.equal((await gateway.call('data_retention_purge')).removed.tasks, 0)
  gateway.clock.advance(1)
  assert.equal((await gateway.call('data_retention_purge')).removed.tasks, 3)
  assert.deepEqual(await titles(gateway), ['paused', 'pending', 'review', 'working'])
})

test('trash past its time goes, and plan days that are over and past theirs', async () => {
  await using gateway = await start()
  const taskId = await task(gateway, 'pending')
  await gateway.call('tasks_delete', { taskId })
  const days = ['done', 'blocked', 'planned'].map((status, at) => ({ day: at + 1, focus: status, ...(status !== 'planned' && { status }) }))
  await gateway.call('plan_set', { repo: 'web', days })
  const focuses = async () => (await gateway.call('plan_list', { repo: 'web' })).days.map(({ focus }: { focus: string }) => focus)
  gateway.clock.advance(31 * DAY)
  const first = await gateway.call('data_retention_purge')
  assert.deepEqual([first.removed.trash, first.removed.plans], [1, 0])
  gateway.clock.advance(160 * DAY)
  const second = await gateway.call('data_retention_purge')
  assert.deepEqual([second.removed.trash, second.removed.plans], [0, 2])
  assert.deepEqual(await focuses(), ['planned'])
})

test('audit day-files past their retention go, and the trail that is left verifies', async () => {
  await using gateway = await start()
  for (let day = 0; day < 4; day += 1) {
    await task(gateway, 'pending')
    gateway.clock.advance(DAY)
  }
  gateway.clock.advance(398 * DAY)
  await task(gateway, 'pending')
  const folder = join(gateway.dataDir, 'audit', 'local')
  const days = () => readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  assert.equal(days().length, 5)
  const { auditDays } = await gateway.call('data_retention_purge')
  assert.deepEqual([auditDays, days().length], [2, 3])
  const faults: unknown[] = []
  const summary = await verifyAudit(join(gateway.dataDir, 'audit'), 'local', (fault) => void faults.push(fault))
  assert.deepEqual(faults, [])
  assert.match(summary.notes.join(), /were purged with the days up to 2026-01-06/)
})

test('the audit trail of a synthetic tenant goes with time as well', async () => {
  await using gateway = await start()
  for (let day = 0; day < 3; day += 1) {
    await task(gateway, 'pending', 'synthetic.trial')
    gateway.clock.advance(DAY)
  }
  gateway.clock.advance(500 * DAY)
  assert.equal((await gateway.call('data_retention_purge')).auditDays, 2)
})

test('a tenant under legal hold loses nothing', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await task(gateway, 'done', 'acme')
  await gateway.tenants.change('acme', { legalHold: true })
  gateway.clock.advance(500 * DAY)
  await task(gateway, 'pending', 'acme')
  const { held, auditDays, removed } = await gateway.call('data_retention_purge')
  assert.deepEqual([held, auditDays, removed.tasks], [['acme'], 0, 0])
  assert.equal((await titles(gateway, 'acme')).length, 7)
})
