import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { audited, focused, list, set, start, type TestGateway, trashed } from './support.ts'

const remove = (gateway: TestGateway, args: object = {}) => gateway.call('plan_delete', { repo: 'web', ...args })
const restore = (gateway: TestGateway, args: object, options = {}) => gateway.call('plan_restore', args, options)

test('deleting moves all days of the repo to one entry, and leaves other repos', async () => {
  await using gateway = await start()
  await set(gateway, focused(3))
  const { days: others } = await set(gateway, focused(2), { repo: 'web:1' })
  const { trashId, ...rest } = await remove(gateway, { reason: 'changed our mind' })
  assert.match(trashId, /^trash-/)
  assert.deepEqual(rest, { dayCount: 3 })
  assert.deepEqual(await list(gateway), others)
  const at = (days: number) => new Date(gateway.clock.now() + days * 86_400_000).toISOString()
  assert.deepEqual(await trashed(gateway), [
    {
      trashId,
      kind: 'plan',
      itemId: 'web',
      label: 'Plan of web, 3 days',
      repo: 'web',
      itemCount: 3,
      deletedBy: 'operator',
      reason: 'changed our mind',
      deletedAt: at(0),
      purgeAfter: at(30),
      restoreTool: 'plan_restore',
    },
  ])
  assert.deepEqual(await audited(gateway, 'plan.trash'), [{ repo: 'web', trashId, dayCount: 3, reason: 'changed our mind' }])
})

test('a repo without a plan, and one of another tenant, is NOT_FOUND', async () => {
  await using gateway = await start()
  await set(gateway, focused(1), {}, { as: { tenantId: 'acme' } })
  await assert.rejects(remove(gateway), refusal('NOT_FOUND'))
  assert.deepEqual(await audited(gateway, 'plan.trash'), [])
})

test('a restored plan is the original, by trashId or by repo, and the entry is consumed', async () => {
  await using gateway = await start()
  const { days } = await set(gateway, focused(3), { startDate: '2026-02-02' })
  for (const by of ['trashId', 'repo']) {
    const { trashId } = await remove(gateway)
    gateway.clock.advance(60)
    const restored = await restore(gateway, by === 'repo' ? { repo: 'web' } : { trashId })
    assert.deepEqual(restored, { repo: 'web', restoredDays: 3, skippedConflicts: 0, days, conflictingDays: [] })
    assert.deepEqual([await list(gateway), await trashed(gateway)], [days, []])
    assert.deepEqual((await audited(gateway, 'plan.restore')).at(-1), { repo: 'web', trashId, restoredDays: 3, skippedConflicts: 0 })
    await assert.rejects(restore(gateway, { trashId }), refusal('NOT_FOUND'))
  }
})

test('by repo it is the newest entry, and trashId wins over repo', async () => {
  await using gateway = await start()
  await set(gateway, focused(1, 'first'))
  const { trashId } = await remove(gateway)
  gateway.clock.advance(1)
  await set(gateway, focused(1, 'second'))
  await remove(gateway)
  await set(gateway, focused(1), { repo: 'api' })
  await remove(gateway, { repo: 'api' })
  await restore(gateway, { repo: 'web' })
  assert.equal((await list(gateway))[0]?.focus, 'second 1')
  await remove(gateway)
  assert.equal((await restore(gateway, { trashId, repo: 'api' })).repo, 'web')
  assert.equal((await list(gateway))[0]?.focus, 'first 1')
})

test('days whose number is taken are skipped and stay in the trash, under the same id and times', async () => {
  await using gateway = await start()
  const { days: old } = await set(gateway, focused(4, 'old'))
  const { trashId } = await remove(gateway, { reason: 'why' })
  const [before] = await trashed(gateway)
  const { days: fresh } = await set(gateway, [
    { day: 2, focus: 'new' },
    { day: 4, focus: 'new' },
  ])
  gateway.clock.advance(3_600)

  const first = await restore(gateway, { repo: 'web' })
  assert.deepEqual(first, { repo: 'web', restoredDays: 2, skippedConflicts: 2, days: [old[0], old[2]], conflictingDays: [2, 4] })
  assert.deepEqual(await list(gateway), [old[0], fresh[0], old[2], fresh[1]])
  const left = { ...before, itemCount: 2, label: 'Plan of web, 2 days' }
  assert.deepEqual(await trashed(gateway), [left])

  const again = await restore(gateway, { trashId })
  assert.deepEqual([again.restoredDays, again.skippedConflicts], [0, 2])
  assert.deepEqual(await trashed(gateway), [left])

  const { trashId: second } = await remove(gateway)
  assert.deepEqual((await restore(gateway, { trashId })).days, [old[1], old[3]])
  assert.deepEqual((await restore(gateway, { trashId: second })).conflictingDays, [2, 4])
})

test('what a replace moved away comes back', async () => {
  await using gateway = await start()
  const { days: old } = await set(gateway, focused(3, 'old'))
  const { trashId } = await set(gateway, [{ day: 1, focus: 'new' }], { replace: true })
  const restored = await restore(gateway, { trashId })
  assert.deepEqual([restored.days, restored.conflictingDays], [[old[1], old[2]], [1]])
})

test('neither id is BAD_REQUEST that names both; a task’s entry and an expired one are NOT_FOUND', async () => {
  await using gateway = await start()
  await assert.rejects(restore(gateway, {}), { code: 'BAD_REQUEST', message: /trashId.*repo/ })
  await set(gateway, focused(1))
  const { trashId } = await remove(gateway)
  await assert.rejects(restore(gateway, { trashId }, { as: { tenantId: 'acme' } }), refusal('NOT_FOUND'))
  gateway.clock.advance(30 * 86_400)
  for (const by of [{ trashId }, { repo: 'web' }]) await assert.rejects(restore(gateway, by), refusal('NOT_FOUND'))
})

test('many at once: a plan is deleted once and restored once', async () => {
  await using gateway = await start()
  const { days } = await set(gateway, focused(5))
  const won = async (calls: Promise<unknown>[]) => (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length
  assert.equal(await won(Array.from({ length: 10 }, () => remove(gateway))), 1)
  assert.equal(await won(Array.from({ length: 10 }, () => restore(gateway, { repo: 'web' }))), 1)
  assert.deepEqual(await list(gateway), days)
})

test('DELETE /api/plans/:repo and POST /api/plans/restore are the same tools', async () => {
  await using gateway = await start()
  await set(gateway, focused(2))
  const removed = await gateway.inject({ method: 'DELETE', url: '/api/plans/web' })
  assert.deepEqual([removed.status, removed.json().dayCount], [200, 2])
  const restored = await gateway.inject({ method: 'POST', url: '/api/plans/restore', body: { trashId: removed.json().trashId } })
  assert.deepEqual([restored.status, restored.json().restoredDays], [200, 2])
})
