import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Collection, defineCollection, type SearchQuery, Type } from '@gateway/sdk'
import { type Subject, testClock } from '@gateway/testing'
import fc from 'fast-check'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { mongoSubject } from '../../storage-mongodb/test/mongodb-subject.ts'
import { subject } from './subject.ts'

// Both stores get the same texts and questions, and have to give the same documents with the same scores.

const EFFORT = Number(process.env.DIFFERENTIAL ?? 1)

const Text = Type.Object({
  id: Type.String(),
  title: Type.String(),
  body: Type.Optional(Type.String()),
  labels: Type.Optional(Type.Array(Type.String())),
  place: Type.Optional(Type.String()),
})
type Text = { id: string; title: string; body?: string; labels?: string[]; place?: string }
const plain = defineCollection('ranked.plain', { schema: Text, key: 'id', text: ['title', 'body'], indexes: [{ keys: { place: 1 } }] })
const prepared = defineCollection('ranked.prepared', {
  schema: Text,
  key: 'id',
  text: { prepared: { labels: 0, title: 1, body: 0.5 } },
})

const words = fc.constantFrom('deploy', 'Deploy', 'fleet', 'queue', 'crème', 'creme', 'x1', 'привет', '東京', 'the', 'the', 'the')
const text = fc.array(words, { maxLength: 12 }).map((some) => some.join(' '))
const document = fc.record(
  { title: text, body: text, labels: fc.subarray(['l1', 'l2', 'l3']), place: fc.constantFrom('here', 'there') },
  { requiredKeys: ['title'] },
)
const documents = fc
  .array(document, { minLength: 1, maxLength: 20 })
  .map((all) => all.map((one, i): Text => ({ id: `t${String(i).padStart(2, '0')}`, ...one }) as Text))
const where = fc.constantFrom<object | undefined>(undefined, { place: 'here' }, { id: { prefix: '00' } })
const labelled = fc.constantFrom<object | undefined>(undefined, { labels: { has: 'l1' } }, { labels: { has: 'l2' }, place: 'there' })

const lacking = lacksServer()
describe(`a search in MongoDB and in SQLite${lacking === undefined ? '' : ` (${lacking})`}`, { skip: lacking !== undefined }, () => {
  const clock = testClock()
  let stores: readonly Subject[] = []
  let stop = async (): Promise<void> => {}
  before(async () => {
    const server = await mongoServer()
    stop = () => server.stop()
    stores = [await mongoSubject(server.url, { clock }), await subject({ clock })]
    for (const { store } of stores) await store.prepare([plain, prepared])
  })
  after(async () => {
    for (const store of stores) await store.dispose()
    await stop()
  })

  let batches = 0
  /** No document is removed: the index of the embedded store counts removed ones until it is merged. */
  async function rankAlike(ref: typeof plain, docs: readonly Text[], queries: readonly SearchQuery<Text>[]): Promise<void> {
    const batch = String(batches++).padStart(3, '0')
    const both = stores.map(({ store }) => store.collection<Text>(ref, 'local'))
    for (const collection of both) await collection.insertMany(docs.map((doc) => ({ ...doc, id: `${batch}-${doc.id}` })))
    for (const query of queries) {
      const [found, expected] = await Promise.all(both.map((collection) => hits(collection, query)))
      assert.deepEqual(found, expected, JSON.stringify(query))
    }
  }
  const hits = async (collection: Collection<Text>, query: SearchQuery<Text>) =>
    (await collection.search(query)).map(({ item, score }) => ({ id: item.id, score: score.toFixed(9) }))

  const runs = { numRuns: Math.ceil(12 * EFFORT) }
  const questions = (filter: fc.Arbitrary<object | undefined>) =>
    fc.array(
      fc
        .record({ text: fc.array(words, { minLength: 1, maxLength: 4 }), where: filter })
        .map(({ text, where }) => ({ text: text.join(' '), limit: 500, ...(where && { where }) })),
      { minLength: 1, maxLength: 4 },
    )

  test('ranks plain text alike, with equal scores', async () => {
    await fc.assert(
      fc.asyncProperty(documents, questions(where), (docs, queries) => rankAlike(plain, docs, queries as never)),
      runs,
    )
  })

  test('ranks prepared text alike, with weights, labels and filters', async () => {
    await fc.assert(
      fc.asyncProperty(documents, questions(labelled), (docs, queries) => rankAlike(prepared, docs, queries as never)),
      runs,
    )
  })

  test('ranks alike among more matches than are read without their filter', async () => {
    const docs = Array.from({ length: 1_000 }, (_, i): Text => {
      const rare = i % 400 === 7 ? ' rare' : ''
      return {
        id: `d${String(i).padStart(4, '0')}`,
        title: `common ${'word '.repeat(1 + (i % 5))}${rare}`,
        place: i % 2 === 0 ? 'here' : 'there',
      }
    })
    await rankAlike(prepared, [{ id: 'e', title: 'common rare rare', place: 'there' }], [])
    await rankAlike(prepared, docs, [
      { text: 'common rare', limit: 5 },
      { text: 'word rare nowhere', limit: 5, where: { place: 'there' } },
    ])
  })
})
