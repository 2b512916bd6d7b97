import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal, testClock } from '@gateway/testing'
import { totalOrder } from '../../../kernel/storage/src/sort.ts'
import { subject } from '../../../kernel/storage/test/subject.ts'
import { Connection } from '../../../kernel/storage-sqlite/src/connection.ts'
import { loadDriver } from '../../../kernel/storage-sqlite/src/driver.ts'
import { selectStatements } from '../../../kernel/storage-sqlite/src/select.ts'
import { tableOf } from '../../../kernel/storage-sqlite/src/table.ts'
import { swarms } from '../src/collections.ts'
import { STATUSES } from '../src/schema.ts'
import { approve, plan, type Swarm, start, stop, type TestGateway } from './support.ts'

const list = async (gateway: TestGateway, args: object = {}): Promise<Swarm[]> => (await gateway.call('swarm_list', args)).swarms
const goals = async (gateway: TestGateway, args: object = {}) => (await list(gateway, args)).map(({ goal }) => goal)

test('the newest stands first, also of one millisecond, and only rows of swarms are told', async () => {
  await using gateway = await start()
  for (const goal of ['a', 'b']) await plan(gateway, { goal })
  gateway.clock.advance(1)
  const { swarm } = await plan(gateway, { goal: 'c' })
  assert.deepEqual(await goals(gateway), ['c', 'b', 'a'])
  assert.deepEqual((await list(gateway))[0], swarm)
})

test('by status, by repo, and by both', async () => {
  await using gateway = await start()
  const [a] = [await plan(gateway, { goal: 'a' }), await plan(gateway, { goal: 'b', repo: 'api' })]
  const c = await plan(gateway, { goal: 'c', repo: 'api' })
  await approve(gateway, c.swarm)
  await stop(gateway, a.swarm)
  assert.deepEqual(await goals(gateway, { status: 'active' }), ['c'])
  assert.deepEqual(await goals(gateway, { status: 'stopped' }), ['a'])
  assert.deepEqual(await goals(gateway, { repo: 'api' }), ['c', 'b'])
  assert.deepEqual(await goals(gateway, { repo: 'api', status: 'paused' }), ['b'])
  for (const status of ['planning', 'done']) assert.deepEqual(await goals(gateway, { status }), [])
  await assert.rejects(list(gateway, { status: 'open' }), refusal('BAD_REQUEST', 'status'))
})

test('50 without a limit, and never more than 200', async () => {
  await using gateway = await start()
  for (let i = 0; i < 210; i++) await plan(gateway, { goal: `${i}`, children: [{ title: 'x' }] })
  assert.equal((await list(gateway)).length, 50)
  assert.equal((await list(gateway, { limit: 1_000 })).length, 200)
  assert.equal((await list(gateway, { limit: 3 })).length, 3)
  await assert.rejects(list(gateway, { limit: 0 }), refusal('BAD_REQUEST', 'limit'))
})

test('a list seeks what it shows: it neither walks over the rest, nor sorts', async (t) => {
  const table = tableOf(swarms)
  const opened = await subject({ clock: testClock() })
  t.after(() => opened.dispose())
  await opened.store.prepare([swarms])
  const db = new Connection((await loadDriver()).open(`${opened.dataDir}/store/gateway.db`, { readOnly: true }))
  t.after(() => db.close())
  const planOf = (where: object): string => {
    const order = totalOrder({ createdAt: -1, swarmId: -1 }, table.key)
    return selectStatements({ table, tenant: 't', where, order, nowMs: 0 })
      .flatMap(({ sql, params }) => db.all(`explain query plan ${sql}`, [...params, 10]))
      .map((row) => row.detail as string)
      .join('\n')
  }
  for (const where of [{ status: { in: STATUSES } }, { status: { in: ['active'] } }, { status: { in: STATUSES }, repo: 'web' }]) {
    assert.doesNotMatch(planOf(where), /SCAN|TEMP B-TREE/, JSON.stringify(where))
  }
})
