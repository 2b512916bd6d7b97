import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defineCollection, now, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { totalOrder } from '../../storage/src/sort.ts'
import { subject } from '../../storage/test/subject.ts'
import { countSql, distinctSql } from '../src/aggregate.ts'
import { Connection } from '../src/connection.ts'
import type { Database, SqlValue } from '../src/driver.ts'
import { loadDriver } from '../src/driver.ts'
import { tenantWord } from '../src/pending-texts.ts'
import { searchSql } from '../src/search.ts'
import { type Statement, selectStatements } from '../src/select.ts'
import { tableOf } from '../src/table.ts'

const work = defineCollection('plans.work', {
  schema: Type.Object({
    id: Type.String(),
    status: Type.String(),
    priority: Type.Number(),
    createdAt: Type.String(),
    owner: Type.Optional(Type.String()),
    leaseUntil: Type.Optional(Type.String()),
    title: Type.String(),
    ready: Type.Boolean(),
  }),
  key: 'id',
  indexes: [
    { keys: { status: 1, priority: -1, createdAt: 1 } },
    { keys: { status: 1, createdAt: -1 } },
    { keys: { owner: 1, status: 1, createdAt: -1 } },
    { keys: { leaseUntil: 1 }, present: 'leaseUntil' },
    { keys: { createdAt: -1 } },
    { keys: { title: 1 }, unique: true },
  ],
})
const table = tableOf(work)

describe('query plans of hot paths', () => {
  let opened: Awaited<ReturnType<typeof subject>>
  let db: Connection
  let database: Database
  before(async () => {
    opened = await subject({ clock: testClock() })
    await opened.store.prepare([work])
    database = (await loadDriver()).open(`${opened.dataDir}/store/gateway.db`, { readOnly: true })
    db = new Connection(database)
  })
  after(async () => {
    db.close()
    await opened.dispose()
  })

  /** Lines of the query plan; fails if a table is walked or an answer is sorted. */
  function planOf({ sql, params }: Statement, ...more: SqlValue[]): string {
    const plan = db.all(`explain query plan ${sql}`, [...params, ...more]).map((row) => row.detail as string)
    for (const line of plan)
      assert.doesNotMatch(line, /SCAN (?!found|\(subquery|CONSTANT|json_each)|TEMP B-TREE (?!FOR LAST TERM)/, `${sql}\n${plan.join('\n')}`)
    return plan.join('\n')
  }
  /** Number of times that SQLite plans a statement that runs three times. */
  function timesPlanned({ sql, params }: Statement, ...more: SqlValue[]): number {
    const watched = database as Database & { setAuthorizer(ask: (() => number) | null): void }
    const questions: number[] = []
    let asked = 0
    db.all(sql, [...params, ...more])
    // Setting it makes SQLite plan every statement again at its next run.
    watched.setAuthorizer(() => {
      asked++
      return 0
    })
    for (let run = 0; run < 3; run++) {
      db.all(sql, [...params, ...more])
      questions.push(asked)
    }
    watched.setAuthorizer(null)
    return new Set(questions).size
  }
  function plans(where: object, sort: object, after?: readonly SqlValue[]): string {
    const order = totalOrder(sort, table.key)
    const statements = selectStatements({ table, tenant: 't', where, order, nowMs: 0, ...(after ? { after } : {}) })
    return statements.map((statement) => planOf(statement, 10)).join('\n')
  }
  const indexed = (index: string, constraint: string): RegExp =>
    new RegExp(`USING (COVERING )?INDEX plans\\.work:${index} \\(tenant=\\? ?${constraint}`)

  test('a claim seeks its first match', () => {
    assert.match(
      plans({ status: 'open' }, { priority: -1, createdAt: 1 }),
      indexed('index\\+status-priority\\+createdAt', 'AND _status=\\?'),
    )
    assert.match(
      plans({ status: 'open', createdAt: { lte: now() } }, { priority: -1, createdAt: 1 }),
      indexed('index\\+status-priority\\+createdAt', 'AND _status=\\?'),
    )
  })

  test('an index in the wanted order is preferred to one that has to be sorted', () => {
    assert.match(plans({ status: 'open', createdAt: { lte: now() }, title: 'x' }, { priority: -1, createdAt: 1 }), /index\+status-priority/)
    assert.match(
      plans({ and: [{ status: 'open' }, { createdAt: { lte: now() } }] }, { priority: -1, createdAt: 1 }),
      /index\+status-priority/,
    )
    assert.match(
      plans({ and: [{ status: 'open' }, { createdAt: { lte: now() } }] }, { priority: -1, createdAt: 1 }),
      /index\+status-priority/,
    )
    assert.match(
      plans({ status: 'open', or: [{ leaseUntil: null }, { leaseUntil: { lt: now() } }] }, { priority: -1, createdAt: 1 }),
      /index\+status-priority/,
    )
    assert.match(plans({ leaseUntil: { lte: now() }, status: 'working' }, { leaseUntil: 1 }), /index\+leaseUntil/)
  })

  test('an index that fixes nothing does not make a query walk over everything', () => {
    const order = totalOrder({ createdAt: -1 }, table.key)
    const rare = [
      { title: 'x' },
      { and: [{ title: 'x' }, { ready: true }] },
      { and: [{ title: { in: ['x', 'y'] } }] },
      { title: { in: ['x', 'y'] }, or: [{ ready: true }, { priority: 1 }] },
    ]
    for (const where of rare) {
      const [statement] = selectStatements({ table, tenant: 't', where, order, nowMs: 0 })
      const plan = db.all(`explain query plan ${statement?.sql}`, [...(statement?.params ?? []), 10]).map((row) => row.detail as string)
      assert.match(plan.join(), /unique\+title \(tenant=\? AND _title=\?\)/, JSON.stringify(where))
    }
  })

  test('a claim over several values merges one seek for each', () => {
    const plan = plans({ status: { in: ['open', 'back'] } }, { priority: -1, createdAt: 1 })
    assert.match(plan, /MERGE \(UNION ALL\)/)
    assert.equal(plan.match(/SEARCH/g)?.length, 2)
    assert.match(plans({ owner: { in: ['a', 'b'] }, status: { in: ['open', 'back', 'done'] } }, { createdAt: -1 }), /MERGE/)
    assert.match(plans({ owner: 'a', status: { in: ['open', null as never] }, ready: true }, { createdAt: -1 }), /MERGE/)
  })

  test('a statement is planned once, not at every run', () => {
    for (const where of [{ status: 'open' }, { status: { in: ['open', 'back'] } }, { createdAt: { gte: 'a' } }, {}]) {
      const order = totalOrder({ priority: -1, createdAt: 1 }, table.key)
      const [statement] = selectStatements({ table, tenant: 't', where, order, nowMs: 0 })
      assert.equal(timesPlanned(statement as Statement, 10), 1, JSON.stringify(where))
    }
    assert.equal(timesPlanned(countSql(table, 't', { owner: 'a' }, 100, 0)), 1)
  })

  test('every page is a seek, the first and the thousandth', () => {
    plans({}, {})
    plans({}, {}, ['x'])
    plans({}, { id: -1 }, ['x'])
    plans({}, { createdAt: -1 }, ['2026', 'x'])
    plans({}, { createdAt: 1 }, [null, 'x'])
    plans({ status: 'open' }, { priority: -1, createdAt: 1 }, [3, '2026', 'x'])
    plans({ status: 'open' }, { priority: 1, createdAt: -1 }, [3, null, 'x'])
    plans({ status: { in: ['open', 'back'] } }, { priority: -1, createdAt: 1 }, [3, '2026', 'x'])
    plans({ status: 'open' }, { createdAt: -1 }, ['2026', 'x'])
  })

  test('an index of present fields serves the queries that name its field', () => {
    assert.match(plans({ leaseUntil: { lte: now() } }, { leaseUntil: 1 }), indexed('index\\+leaseUntil\\?leaseUntil', 'AND _leaseUntil'))
    assert.match(plans({ leaseUntil: { exists: true } }, { leaseUntil: 1 }), /index\+leaseUntil\?leaseUntil/)
  })

  test('prefixes and ranges are ranges of an index', () => {
    assert.match(plans({ title: { prefix: 'ab' } }, { title: 1 }), indexed('unique\\+title', 'AND _title>\\? AND _title<\\?'))
    assert.match(
      plans({ createdAt: { gte: 'a', lt: 'b' } }, { createdAt: -1 }),
      indexed('index-createdAt', 'AND _createdAt>\\? AND _createdAt<\\?'),
    )
  })

  test('counts of what an index holds read the index alone', () => {
    assert.match(planOf(countSql(table, 't', { status: 'open' }, undefined, 0)), /COVERING INDEX/)
    assert.match(planOf(countSql(table, 't', { owner: 'a', status: { in: ['open', 'back'] } }, 100, 0)), /COVERING INDEX/)
  })

  test('distinct values are sought one after the other', () => {
    assert.match(planOf(distinctSql(table, 't', 'status', undefined, 0)), indexed('index\\+status.*', 'AND _status>\\?'))
    assert.match(
      planOf(distinctSql(table, 't', 'status', { owner: 'a' }, 0)),
      indexed('index\\+owner\\+status.*', 'AND _owner=\\? AND _status>\\?'),
    )
  })

  test('a search asks the text index for the tenant’s documents alone', () => {
    const notes = tableOf(defineCollection('plans.notes', { schema: work.schema, key: 'id', text: ['title'] }))
    const [match] = searchSql(notes, 'acme', { text: 'x' }, '"x"', 0).params
    assert.equal(match, `tenant_word : ${tenantWord('acme')} AND {text_title} : ("x")`)
  })
})
