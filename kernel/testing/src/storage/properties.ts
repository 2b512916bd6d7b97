import assert from 'node:assert/strict'
import type { Collection, Filter, Query, Sort, Update } from '@gateway/sdk'
import { meets, type OracleDoc, sorted, updated } from './oracle.ts'
import type { Bench, Item } from './subject.ts'

/** fast-check is loaded when the tests run: users of other parts of this package need not have it. */
async function tools() {
  const [{ default: fc }, arbitraries] = await Promise.all([import('fast-check'), import('./arbitraries.ts')])
  return { fc, ...arbitraries }
}

type Id = { itemId: string }
const idsOf = (docs: readonly OracleDoc[]): unknown[] => docs.map((doc) => doc.itemId)
const matching = (docs: readonly OracleDoc[], where: object, nowMs: number): OracleDoc[] => docs.filter((doc) => meets(doc, where, nowMs))
const as = <T>(value: object): T => value as T

export function propertyTests(bench: Bench): void {
  const { test } = bench
  let runs = 0
  const filled = async (docs: readonly Id[]): Promise<Collection<Item>> => {
    const c = bench.items(`random-${runs++}`)
    await Promise.all(docs.map((doc) => c.insert(as<Item>(doc))))
    return c
  }
  const clock = async (): Promise<number> => (await bench.store.now()).getTime()

  test('every filter finds and counts what it means', async () => {
    const { fc, docs, filter } = await tools()
    await fc.assert(
      fc.asyncProperty(docs, fc.array(filter, { minLength: 1, maxLength: 8 }), async (all, filters) => {
        const c = await filled(all)
        for (const where of filters) {
          const nowMs = await clock()
          const expected = idsOf(sorted(matching(all, where, nowMs), {}, 'itemId'))
          const found = await c.find({ where: as<Filter<Item>>(where), limit: 1000 })
          assert.deepEqual(
            found.items.map((item) => item.itemId),
            expected,
            JSON.stringify(where),
          )
          assert.equal(await c.count(as<Filter<Item>>(where)), expected.length)
        }
      }),
      { numRuns: Math.ceil(150 * bench.effort) },
    )
  })

  test('every sort pages through every filter exactly', async () => {
    const { fc, docs, filter, sort } = await tools()
    await fc.assert(
      fc.asyncProperty(docs, filter, sort, fc.integer({ min: 1, max: 6 }), async (all, where, by, limit) => {
        const c = await filled(all)
        const expected = idsOf(sorted(matching(all, where, await clock()), by, 'itemId'))
        const found: string[] = []
        const query = as<Query<Item>>({ where, sort: as<Sort<Item>>(by), limit })
        for (let page = await c.find(query); ; page = await c.find({ ...query, cursor: page.nextCursor as string })) {
          found.push(...page.items.map((item) => item.itemId))
          if (page.nextCursor === undefined) break
          assert.equal(page.items.length, limit)
        }
        assert.deepEqual(found, expected)
      }),
      { numRuns: Math.ceil(200 * bench.effort) },
    )
  })

  test('every update changes what it says, and where it does not fit, nothing', async () => {
    const { fc, body, update } = await tools()
    await fc.assert(
      fc.asyncProperty(body, fc.array(update, { minLength: 1, maxLength: 5 }), async (start, updates) => {
        let expected: OracleDoc = { itemId: 'a', ...start }
        const c = await filled([as<Id>(expected)])
        for (const change of updates) {
          const next = updated(expected, change, await clock())
          const run = c.updateOne('a', as<Update<Item>>(change))
          if (next) assert.deepEqual(await run, (expected = next))
          else await assert.rejects(run, { code: 'BAD_REQUEST' })
          assert.deepEqual(await c.get('a'), expected)
        }
      }),
      { numRuns: Math.ceil(150 * bench.effort) },
    )
  })

  test('every group, sum and distinct value adds up', async () => {
    const { fc, docs, filter } = await tools()
    await fc.assert(
      fc.asyncProperty(
        docs,
        filter,
        fc.constantFrom('status', 'flag', 'owner', 'at'),
        fc.constantFrom('status', 'note'),
        async (all, where, a, b) => {
          const c = await filled(all)
          const matched = matching(all, where, await clock())
          const expected = new Map<string, number>()
          for (const doc of matched) {
            const key = JSON.stringify([doc[a] ?? null, doc[b] ?? null])
            expected.set(key, (expected.get(key) ?? 0) + 1)
          }
          const groups = await c.group(as({ by: [a, b], where }))
          assert.deepEqual(new Map(groups.map((group) => [JSON.stringify(group.key), group.count])), expected)
          const values = new Set(matched.map((doc) => doc[a] ?? null).filter((value) => value !== null))
          assert.deepEqual(new Set(await c.distinct(a, as<Filter<Item>>(where))), values)
        },
      ),
      { numRuns: Math.ceil(100 * bench.effort) },
    )
  })

  test('every run of operations, alone or in transactions, leaves what it should', async () => {
    const { fc, docs, filter, sort, update, body } = await tools()
    const id = fc.constantFrom('a', 'b', 'c', 'd')
    const step = fc.oneof(
      fc.record({ kind: fc.constant('insert' as const), id, body }),
      fc.record({ kind: fc.constant('upsert' as const), id, body, update }),
      fc.record({ kind: fc.constant('updateOne' as const), id, update, where: filter }),
      fc.record({ kind: fc.constant('claim' as const), where: filter, sort, update }),
      fc.record({ kind: fc.constant('updateMany' as const), where: filter, update }),
      fc.record({ kind: fc.constant('deleteOne' as const), id, where: filter }),
      fc.record({ kind: fc.constant('deleteMany' as const), where: filter }),
    )
    const run = fc.record({ steps: fc.array(step, { maxLength: 6 }), how: fc.constantFrom('alone', 'together', 'undone') })
    await fc.assert(
      fc.asyncProperty(docs, fc.array(run, { maxLength: 4 }), async (all, rounds) => {
        const c = await filled(all)
        const tenant = `random-${runs - 1}`
        let model = new Map<string, OracleDoc>(all.map((doc) => [doc.itemId, doc]))
        for (const { steps, how } of rounds) {
          const nowMs = await clock()
          const draft = new Map(model)
          const play = async (target: Collection<Item>): Promise<void> => {
            for (const one of steps) await applied(target, one, draft, nowMs)
          }
          if (how === 'alone') await play(c)
          else {
            const done = bench.store.atomically(tenant)(async (tx) => {
              await play(c.in(tx))
              if (how === 'undone') throw new Error('undone')
            })
            if (how === 'undone') await assert.rejects(done, /undone/)
            else await done
          }
          if (how !== 'undone') model = draft
          const left = await c.find({ limit: 1000 })
          assert.deepEqual(left.items, sorted([...model.values()], {}, 'itemId'))
        }
      }),
      { numRuns: Math.ceil(120 * bench.effort) },
    )
  })
}

type Step =
  | { kind: 'insert'; id: string; body: object }
  | { kind: 'upsert'; id: string; body: object; update: Record<string, unknown> }
  | { kind: 'updateOne'; id: string; update: Record<string, unknown>; where: object }
  | { kind: 'claim'; where: object; sort: Record<string, 1 | -1>; update: Record<string, unknown> }
  | { kind: 'updateMany'; where: object; update: Record<string, unknown> }
  | { kind: 'deleteOne'; id: string; where: object }
  | { kind: 'deleteMany'; where: object }

async function applied(c: Collection<Item>, step: Step, model: Map<string, OracleDoc>, nowMs: number): Promise<void> {
  const change = async (
    docs: readonly OracleDoc[],
    update: Record<string, unknown>,
    run: Promise<unknown>,
    answer: (after: OracleDoc[]) => unknown,
  ) => {
    const after = docs.map((doc) => updated(doc, update, nowMs))
    if (after.some((doc) => doc === undefined)) return assert.rejects(run, { code: 'BAD_REQUEST' })
    for (const doc of after as OracleDoc[]) model.set(doc.itemId as string, doc)
    assert.deepEqual(await run, answer(after as OracleDoc[]))
  }
  const first = ([doc]: readonly OracleDoc[]): OracleDoc | undefined => doc
  const meeting = (where: object): OracleDoc[] => matching([...model.values()], where, nowMs)
  switch (step.kind) {
    case 'insert': {
      const doc = { itemId: step.id, ...step.body }
      if (model.has(step.id)) return assert.rejects(c.insert(as<Item>(doc)), { code: 'DUPLICATE_KEY' })
      model.set(step.id, doc)
      assert.deepEqual(await c.insert(as<Item>(doc)), doc)
      return
    }
    case 'upsert': {
      const doc = { itemId: step.id, ...step.body }
      const known = model.get(step.id)
      const run = c.upsert(as<Item>(doc), as<Update<Item>>(step.update))
      if (known) return change([known], step.update, run, first)
      model.set(step.id, doc)
      assert.deepEqual(await run, doc)
      return
    }
    case 'updateOne': {
      const met = meeting(step.where).filter((doc) => doc.itemId === step.id)
      return change(met, step.update, c.updateOne(step.id, as<Update<Item>>(step.update), as<Filter<Item>>(step.where)), first)
    }
    case 'claim': {
      const met = sorted(meeting(step.where), step.sort, 'itemId').slice(0, 1)
      return change(met, step.update, c.claim(as({ where: step.where, sort: step.sort, update: step.update })), first)
    }
    case 'updateMany':
      return change(
        meeting(step.where),
        step.update,
        c.updateMany(as<Filter<Item>>(step.where), as<Update<Item>>(step.update)),
        (after) => after.length,
      )
    case 'deleteOne': {
      const [met] = meeting(step.where).filter((doc) => doc.itemId === step.id)
      if (met) model.delete(step.id)
      assert.deepEqual(await c.deleteOne(step.id, as<Filter<Item>>(step.where)), met)
      return
    }
    case 'deleteMany': {
      const met = meeting(step.where)
      for (const doc of met) model.delete(doc.itemId as string)
      assert.equal(await c.deleteMany(as<Filter<Item>>(step.where)), met.length)
    }
  }
}
