import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { admin, at, create, get, MINUTE, queued, runNow, start, sweep, update } from './support.ts'

test('what is given changes, what is not given stays', async () => {
  await using gateway = await start()
  const before = await create(gateway, { notes: 'Keep this.' })
  gateway.clock.advance(MINUTE)
  const renamed = await update(gateway, before, { name: 'New name' })
  assert.deepEqual(renamed, { ...before, name: 'New name', updatedAt: at('09:01') })
  const rest = {
    repo: 'api',
    title: 'Another title',
    description: 'More of it.',
    priority: 'P0',
    assignedAgent: 'keeper',
    recommendedModel: 'big',
    overlapPolicy: 'stack',
  }
  const changed = await update(gateway, before, rest)
  // The clock stands still; the second update is later all the same.
  assert.deepEqual(changed, { ...renamed, ...rest, updatedAt: '2026-01-05T09:01:00.001Z' })
  assert.deepEqual(await get(gateway, before), changed)
})

test('a task enqueued before stays as it is, the next one is as the template says now', async () => {
  await using gateway = await start()
  const template = await create(gateway, { overlapPolicy: 'stack' })
  await runNow(gateway, template)
  await update(gateway, template, { title: 'Another title' })
  gateway.clock.advance(1)
  await runNow(gateway, template)
  assert.deepEqual(
    (await queued(gateway)).map(({ title }) => title),
    ['Tidy up', 'Another title'],
  )
})

test('a cronExpr that differs counts from now, and the answer shows the next three fires', async () => {
  await using gateway = await start()
  const { recurringId } = await create(gateway, { cronExpr: '0 12 * * *' })
  gateway.clock.advance(30 * MINUTE)
  const { recurringTask, nextFires } = await gateway.call('recurring_tasks_update', { recurringId, cronExpr: '*/10 * * * *' })
  assert.equal(recurringTask.nextFireAt, at('09:40'))
  assert.deepEqual(nextFires, [at('09:40'), at('09:50'), at('10:00')])
})

test('else the next fire stays, also one that is due', async () => {
  await using gateway = await start()
  const before = await create(gateway)
  gateway.clock.advance(6 * MINUTE)
  for (const same of [{ name: 'x' }, { enabled: true }, { cronExpr: before.cronExpr }]) {
    assert.equal((await update(gateway, before, same)).nextFireAt, at('09:05'))
  }
  await sweep(gateway)
  assert.equal((await queued(gateway)).length, 1)
})

test('switched off it does not fire; switched on again it counts from now, and makes up for nothing', async () => {
  await using gateway = await start()
  const template = await create(gateway)
  await update(gateway, template, { enabled: false })
  gateway.clock.advance(17 * MINUTE)
  await sweep(gateway)
  assert.equal((await update(gateway, template, { enabled: true })).nextFireAt, at('09:20'))
  await sweep(gateway)
  assert.equal((await queued(gateway)).length, 0)
  gateway.clock.advance(3 * MINUTE)
  await sweep(gateway)
  assert.equal((await queued(gateway)).length, 1)
})

test('it is checked as at creation, and nothing changes', async () => {
  await using gateway = await start()
  const template = await create(gateway)
  const wrong: [object, string][] = [
    [{ cronExpr: '60 * * * *' }, 'cronExpr'],
    [{ cronExpr: '0 0 30 2 *' }, 'cronExpr'],
    [{ name: ' ' }, 'name'],
    [{ title: ' ' }, 'title'],
    [{ priority: 'P4' }, 'priority'],
    [{ overlapPolicy: 'queue' }, 'overlapPolicy'],
    [{ source: 'manual' }, 'source'],
  ]
  for (const [args, field] of wrong) await assert.rejects(update(gateway, template, args), refusal('BAD_REQUEST', field))
  assert.deepEqual(await get(gateway, template), template)
})

test('an id that is unknown, or another tenant’s, is NOT_FOUND', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: admin })
  for (const recurringId of ['recurring-x', theirs.recurringId]) {
    await assert.rejects(update(gateway, { recurringId }, { name: 'x' }), refusal('NOT_FOUND'))
  }
  assert.deepEqual(await get(gateway, theirs, { as: admin }), theirs)
})

test('it takes the capability configure', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
  const template = await create(gateway)
  await assert.rejects(update(gateway, template, { name: 'x' }, { as: { kind: 'user', role: 'member' } }), refusal('FORBIDDEN'))
})
