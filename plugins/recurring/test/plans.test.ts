import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '@gateway/testing'
import { totalOrder } from '../../../kernel/storage/src/sort.ts'
import { subject } from '../../../kernel/storage/test/subject.ts'
import { Connection } from '../../../kernel/storage-sqlite/src/connection.ts'
import { loadDriver } from '../../../kernel/storage-sqlite/src/driver.ts'
import { selectStatements } from '../../../kernel/storage-sqlite/src/select.ts'
import { tableOf } from '../../../kernel/storage-sqlite/src/table.ts'
import { recurringTasks } from '../src/collections.ts'
import { due } from '../src/operations/fire.ts'

const table = tableOf(recurringTasks)

test('a sweep seeks what is due, a list what it shows: neither walks over the rest, nor sorts', async (t) => {
  const opened = await subject({ clock: testClock() })
  t.after(() => opened.dispose())
  await opened.store.prepare([recurringTasks])
  const db = new Connection((await loadDriver()).open(`${opened.dataDir}/store/gateway.db`, { readOnly: true }))
  t.after(() => db.close())

  const planOf = (where: object, after?: readonly string[]): string => {
    const order = totalOrder({ nextFireAt: 1 }, table.key)
    const plan = selectStatements({ table, tenant: 't', where, order, nowMs: 0, ...(after && { after }) })
      .flatMap(({ sql, params }) => db.all(`explain query plan ${sql}`, [...params, 10]))
      .map((row) => row.detail as string)
      .join('\n')
    assert.doesNotMatch(plan, /SCAN|TEMP B-TREE/)
    return plan
  }
  const dueRange = /index\+enabled\+nextFireAt \(tenant=\? ?AND _enabled=\? AND _nextFireAt/
  assert.match(planOf(due.where), dueRange)
  assert.match(planOf(due.where, ['2026-01-05T09:00:00.000Z', 'recurring-1']), dueRange)
  assert.match(planOf({ enabled: { in: [true, false] } }), /index\+enabled\+nextFireAt/)
  assert.match(planOf({ enabled: { in: [true, false] }, repo: 'web' }), /index\+repo\+enabled\+nextFireAt/)
})
