import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import fc from 'fast-check'
import { totalOrder } from '../../storage/src/sort.ts'
import { subject } from '../../storage/test/subject.ts'
import { claimHead, type Group, noteWrite } from '../src/claim-head.ts'
import { Connection } from '../src/connection.ts'
import { loadDriver, type Row, type SqlValue } from '../src/driver.ts'
import { insertDoc, updateDoc } from '../src/row-writer.ts'
import { prepareTables } from '../src/schema.ts'
import type { Table } from '../src/table.ts'

const jobs = defineCollection('jobs', {
  schema: Type.Object(
    {
      jobId: Type.String(),
      queue: Type.String(),
      state: Type.String(),
      rank: Type.Integer(),
      ticket: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'jobId',
  indexes: [{ keys: { queue: 1, state: 1, rank: 1 } }, { keys: { ticket: 1 }, unique: true, present: 'ticket' }],
})
const notes = defineCollection('notes', { schema: Type.Object({ noteId: Type.String() }, closed), key: 'noteId' })
type Job = Infer<(typeof jobs)['schema']>
const job = (jobId: string, queue: string, rank: number): Job => ({ jobId, queue, state: 'open', rank })
const open = (queue: string) => ({ queue, state: 'open' })
const byRank = { rank: 1 } as const

describe('the head of a queue', () => {
  /** A queue of `size` in a real database, claimed as the writer does it for the units of one group. */
  async function queueOf(size: number) {
    const looks: number[] = []
    class Noting extends Connection {
      override get(sql: string, params: readonly SqlValue[] = []): Row | undefined {
        if (sql.includes('indexed by')) looks.push(params.at(-1) as number)
        return super.get(sql, params)
      }
      override all(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
        if (sql.includes('indexed by')) looks.push(params.at(-1) as number)
        return super.all(sql, params)
      }
    }
    const db = new Noting((await loadDriver()).open(':memory:'))
    const table = prepareTables(db, [jobs]).tables.get('jobs') as Table
    const order = totalOrder(byRank, 'jobId')
    const group: Group = { units: 0 }
    const claims = (group: Group | undefined, queue: string, set: Partial<Job>): string | undefined =>
      claimHead(db, { table, tenant: 't', where: open(queue), order, nowMs: 0 }, group, (row) => updateDoc(db, table, 't', row, { set }, 0))
        ?.jobId as string | undefined
    const add = (id: string, queue: string, rank: number): unknown => insertDoc(db, table, 't', job(id, queue, rank))
    for (let n = 0; n < size; n++) add(`${n}`, 'a', n)
    return {
      /** Number of rows that each query asked for since the last call. */
      looks: () => looks.splice(0),
      claim(queue = 'a', set: Partial<Job> = { state: 'taken' }) {
        group.units++
        return claims(group, queue, set)
      },
      /** A write in the unit that claimed, as a transaction makes it. */
      addInUnit(id: string, rank: number) {
        noteWrite(table, group)
        add(id, 'a', rank)
      },
      claimAlone: () => claims(undefined, 'a', { state: 'taken' }),
      add(id: string, rank: number) {
        group.units++
        add(id, 'a', rank)
      },
      close: () => db.close(),
    }
  }

  test('is looked for less and less often by claims right behind each other', async () => {
    const { claim, looks, close } = await queueOf(100)
    const got = Array.from({ length: 101 }, () => claim())
    assert.deepEqual(got, [...Array.from({ length: 100 }, (_, n) => `${n}`), undefined])
    assert.deepEqual(looks(), [1, 2, 4, 8, 16, 32, 32, 32])
    close()
  })

  test('is known to be nowhere once the end was read', async () => {
    const { claim, looks, close } = await queueOf(4)
    assert.deepEqual([claim(), claim(), claim(), claim(), claim()], ['0', '1', '2', '3', undefined])
    assert.deepEqual(looks(), [1, 2, 4])
    close()
  })

  test('is looked for anew after any other write, for another queue, and outside of a group', async () => {
    const { claim, add, claimAlone, looks, close } = await queueOf(10)
    assert.deepEqual([claim(), claim()], ['0', '1'])
    add('first', -1)
    assert.deepEqual([claim(), claim('b'), claim()], ['first', undefined, '2'])
    assert.deepEqual([claimAlone(), claimAlone()], ['3', '4'])
    assert.deepEqual(looks(), [1, 2, 1, 1, 1, 1, 1])
    close()
  })

  test('is looked for anew after a write to its collection in the transaction that claimed', async () => {
    const { claim, addInUnit, looks, close } = await queueOf(10)
    assert.deepEqual([claim(), claim()], ['0', '1'])
    addInUnit('first', -1)
    assert.deepEqual([claim(), claim()], ['first', '2'])
    assert.deepEqual(looks(), [1, 2, 1, 2])
    close()
  })

  test('is looked for anew when the claimed document stayed in the queue, or was not claimed', async () => {
    const { claim, looks, close } = await queueOf(10)
    assert.deepEqual([claim(), claim(), claim('a', { ticket: 'x' }), claim('a', { rank: 50 })], ['0', '1', '2', '2'])
    assert.throws(() => claim('a', { state: 'taken', ticket: 'x' }), { code: 'DUPLICATE_KEY' })
    assert.deepEqual([claim(), claim()], ['3', '4'])
    assert.deepEqual(looks(), [1, 2, 1, 1, 1, 2])
    close()
  })
})

const queue = fc.constantFrom('a', 'b')
const rank = fc.integer({ min: -3, max: 20 })
const operations = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('claim' as const), queue, change: fc.constantFrom('take', 'keep', 'move', 'fail') }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const), queue, times: fc.integer({ min: 1, max: 12 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('insert' as const), queue, rank }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('update' as const), id: fc.nat({ max: 25 }), rank }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.nat({ max: 25 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('transaction' as const), queue }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('keyed' as const),
        queue,
        after: fc.constantFrom('note', 'note', 'note', 'reopen', 'insert', 'fail'),
        times: fc.integer({ min: 1, max: 6 }),
      }),
    },
  ),
  { maxLength: 30 },
)
type Operations = typeof operations extends fc.Arbitrary<infer T> ? T : never

test('writes of one group come to what they come to one after the other', { timeout: 120_000 }, async () => {
  const changes = { take: { state: 'taken' }, keep: { ticket: 'kept' }, move: { rank: 30 }, fail: { state: 'taken', ticket: 'kept' } }

  /**
   * The outcome of each operation, and the stored documents. `together`: all are requested in one turn, and so form one group.
   */
  async function run(asked: Operations, together: boolean): Promise<unknown> {
    const { store, dispose } = await subject({ clock: testClock() })
    await store.prepare([jobs, notes])
    const collection = store.collection<Job>(jobs, 't')
    await collection.insertMany(Array.from({ length: 20 }, (_, n) => job(`job${n}`, n % 3 === 0 ? 'b' : 'a', n)))
    let added = 0
    /** A claim in a transaction that then writes to another collection, writes to its own, or fails. */
    const keyed = ({ queue, after }: { queue: string; after: string }) => {
      const name = `keyed${added++}`
      return () =>
        store.atomically('t')(async (tx) => {
          const inside = collection.in(tx)
          const got = await inside.claim({ where: open(queue), sort: byRank, update: { set: changes.take } })
          await store.collection<{ noteId: string }>(notes, 't').in(tx).insert({ noteId: name })
          if (after === 'reopen' && got) await inside.updateOne(got.jobId, { set: { state: 'open' } })
          if (after === 'insert') await inside.insert(job(name, queue, -9))
          if (after === 'fail') throw Object.assign(new Error('undone'), { code: 'UNDONE' })
          return got
        })
    }
    const works = asked.flatMap((one): (() => Promise<unknown>)[] => {
      const claim = (from: string, set: object) => () => collection.claim({ where: open(from), sort: byRank, update: { set } })
      switch (one.kind) {
        case 'claim':
          return [claim(one.queue, changes[one.change as keyof typeof changes])]
        case 'take':
          return Array.from({ length: one.times }, () => claim(one.queue, changes.take))
        case 'insert': {
          const made = job(`new${added++}`, one.queue, one.rank)
          return [() => collection.insert(made)]
        }
        case 'update':
          return [() => collection.updateOne(`job${one.id}`, { set: { rank: one.rank, state: 'open' } })]
        case 'delete':
          return [() => collection.deleteOne(`job${one.id}`)]
      }
      if (one.kind === 'keyed') return Array.from({ length: one.times }, () => keyed(one))
      const take = { where: open(one.queue), sort: byRank, update: { set: changes.take } }
      return [
        () =>
          store.atomically('t')(async (tx) => {
            const inside = collection.in(tx)
            return [await inside.claim(take), await inside.claim(take)]
          }),
      ]
    })
    const outcome = (work: () => Promise<unknown>): Promise<unknown> => work().catch((error: { code?: string }) => error.code)
    const outcomes: unknown[] = together ? await Promise.all(works.map(outcome)) : []
    if (!together) for (const work of works) outcomes.push(await outcome(work))
    const stored = await collection.find({ sort: { jobId: 1 }, limit: 100 })
    await dispose()
    return { outcomes, stored: stored.items }
  }

  await fc.assert(
    fc.asyncProperty(operations, async (asked) => {
      assert.deepEqual(await run(asked, true), await run(asked, false))
    }),
    { numRuns: 60 },
  )
})
