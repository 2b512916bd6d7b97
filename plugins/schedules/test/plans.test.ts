import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '@gateway/testing'
import { totalOrder } from '../../../kernel/storage/src/sort.ts'
import { subject } from '../../../kernel/storage/test/subject.ts'
import { Connection } from '../../../kernel/storage-sqlite/src/connection.ts'
import { loadDriver } from '../../../kernel/storage-sqlite/src/driver.ts'
import { selectStatements } from '../../../kernel/storage-sqlite/src/select.ts'
import { tableOf } from '../../../kernel/storage-sqlite/src/table.ts'
import { schedules } from '../src/collections.ts'
import { due } from '../src/operations/due.ts'
import { overdue, underWay } from '../src/operations/lost.ts'

const table = tableOf(schedules)
const every = {
  kind: { in: ['agent', 'skill', 'tool'] },
  lastStatus: { in: ['never', 'success', 'error'] },
  enabled: { in: [true, false] },
}

test('a tick seeks what is due and what is overdue, a list what it shows: neither walks over the rest, nor sorts', async (t) => {
  const opened = await subject({ clock: testClock() })
  t.after(() => opened.dispose())
  await opened.store.prepare([schedules])
  const db = new Connection((await loadDriver()).open(`${opened.dataDir}/store/gateway.db`, { readOnly: true }))
  t.after(() => db.close())

  const planOf = (where: object, sort: object, after?: readonly string[]): string =>
    selectStatements({ table, tenant: 't', where, order: totalOrder(sort, table.key), nowMs: 0, ...(after && { after }) })
      .flatMap(({ sql, params }) => db.all(`explain query plan ${sql}`, [...params, 10]))
      .map((row) => row.detail as string)
      .join('\n')

  const dueRange = /index\+enabled\+nextRun \(tenant=\? ?AND _enabled=\? AND _nextRun/
  assert.match(planOf(due.where, due.sort), dueRange)
  assert.match(planOf(due.where, due.sort, ['2026-01-05T09:00:00.000Z', 'schedule-1']), dueRange)
  assert.match(planOf(overdue.where, overdue.sort), /index\+runLeaseUntil\?runLeaseUntil \(tenant=\? ?AND _runLeaseUntil/)
  assert.match(planOf(underWay.where, underWay.sort), /index\+runLeaseUntil\?runLeaseUntil \(tenant=\? ?AND _runLeaseUntil/)
  for (const where of [every, { ...every, kind: { in: ['tool'] } }, { ...every, enabled: { in: [true] } }]) {
    assert.match(planOf(where, { nextRun: 1 }), /index\+kind\+lastStatus\+enabled\+nextRun \(tenant=\? ?AND _kind=\?/)
  }
  assert.match(planOf({ name: 'x' }, { name: 1 }), /index\+name/)
  for (const plan of [
    planOf(due.where, due.sort),
    planOf(overdue.where, overdue.sort),
    planOf(underWay.where, underWay.sort),
    planOf(every, { nextRun: 1 }),
  ]) {
    assert.doesNotMatch(plan, /SCAN|TEMP B-TREE/)
  }
})
