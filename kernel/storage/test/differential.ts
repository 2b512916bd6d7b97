import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Collection } from '@gateway/sdk'
import { type OpenSubject, type Subject, testClock } from '@gateway/testing'
import fc from 'fast-check'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { mongoSubject } from '../../storage-mongodb/test/mongodb-subject.ts'
import { changed, type Doc, matching } from './mingo-oracle.ts'
import { documents, filter, sample, sort, update } from './random-documents.ts'
import { subject } from './subject.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is random has no type
type Any = any

/** Gives the same documents and queries to the store and to mingo, and expects the same answers. */
function differential(name: string, open: OpenSubject, share: number): void {
  describe(name, () => {
    const clock = testClock()
    let store: Subject
    let tenants = 0
    before(async () => {
      store = await open({ clock })
      await store.store.prepare([sample])
    })
    after(() => store.dispose())
    const runs = (count: number) => ({ numRuns: Math.ceil(count * share) })
    const filled = async (docs: readonly Doc[]): Promise<Collection<Any>> => {
      const collection = store.store.collection<Any>(sample, `tenant-${tenants++}`)
      await Promise.all(docs.map((doc) => collection.insert(doc)))
      return collection
    }

    test('every filter and sort finds the same, page by page', async () => {
      const question = fc.record({ where: filter, by: sort, limit: fc.integer({ min: 1, max: 7 }) })
      await fc.assert(
        fc.asyncProperty(documents, fc.array(question, { minLength: 1, maxLength: 6 }), async (docs, questions) => {
          const collection = await filled(docs)
          for (const { where, by, limit } of questions) {
            const expected = matching(docs, where, by, 'id', clock.now())
            const found: Doc[] = []
            let cursor: string | undefined
            do {
              const page = await collection.find({ where, sort: by, limit, ...(cursor !== undefined && { cursor }) })
              found.push(...(page.items as Doc[]))
              cursor = page.nextCursor
              assert.equal(page.items.length, cursor === undefined ? page.items.length : limit)
            } while (cursor !== undefined)
            assert.deepEqual(found, expected, JSON.stringify({ where, by, limit }))
            assert.equal(await collection.count(where as Any), expected.length)
          }
        }),
        runs(150),
      )
    })

    test('every update makes the same document, and what fits it in one fits it in the other', async () => {
      await fc.assert(
        fc.asyncProperty(documents, filter, sort, fc.array(update, { minLength: 1, maxLength: 5 }), async (docs, where, by, updates) => {
          const collection = await filled(docs)
          const model = new Map(docs.map((doc) => [doc.id, doc as Doc]))
          for (const one of updates) {
            const [first] = matching([...model.values()], where, by, 'id', clock.now())
            const next = first && changed(first, one, clock.now())
            const claimed = collection.claim({ where: where as Any, sort: by, update: one as Any })
            if (first && !next) await assert.rejects(claimed, { code: 'BAD_REQUEST' })
            else assert.deepEqual(await claimed, next, JSON.stringify(one))
            if (next) model.set(next.id as string, next)
          }
          const left = await collection.find({ limit: 1000 })
          assert.deepEqual(left.items, matching([...model.values()], {}, {}, 'id', clock.now()))
        }),
        runs(200),
      )
    })

    test('changing and removing many meets the same documents', async () => {
      await fc.assert(
        fc.asyncProperty(documents, filter, update, filter, async (docs, where, one, gone) => {
          const collection = await filled(docs)
          const met = new Set(matching(docs, where, {}, 'id', clock.now()).map(({ id }) => id))
          const next = docs.map((doc) => (met.has(doc.id) ? changed(doc, one, clock.now()) : doc))
          if (next.includes(undefined)) return
          assert.equal(await collection.updateMany(where as Any, one as Any), met.size)
          const removed = new Set(matching(next as Doc[], gone, {}, 'id', clock.now()))
          assert.equal(await collection.deleteMany(gone as Any), removed.size)
          const rest = (next as Doc[]).filter((doc) => !removed.has(doc))
          assert.deepEqual((await collection.find({ limit: 1000 })).items, matching(rest, {}, {}, 'id', clock.now()))
        }),
        runs(100),
      )
    })
  })
}

/** Holds both stores against mingo, with a multiple of the usual number of runs. */
export async function differentialTests(effort: number): Promise<void> {
  differential('SQLite against mingo', ({ clock }) => subject({ clock }), effort)
  const lacking = lacksServer()
  if (lacking !== undefined) return void test(`MongoDB against mingo (${lacking})`, { skip: true })
  const server = mongoServer()
  after(async () => (await server).stop())
  differential('MongoDB against mingo', async ({ clock }) => mongoSubject((await server).url, { clock }), Math.min(1, 0.08 * effort))
}
