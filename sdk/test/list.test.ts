import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allOf, type Page, pageArguments, pages, rowLimit } from '../src/index.ts'

test('a number of rows is the fallback where nothing is said, and the most where more is', () => {
  const rows = rowLimit(20, 100, 'Notes')
  assert.deepEqual([undefined, 1, 100, 101].map(rows.of), [20, 1, 100, 100])
  assert.deepEqual(
    { ...rows.argument },
    {
      type: 'integer',
      minimum: 1,
      default: 20,
      description: 'Notes, at most 100; more means 100.',
    },
  )
  assert.deepEqual(Object.keys(pageArguments(rows)), ['limit', 'cursor'])
})

/** Three pages of two, and a record of the requests. */
function shelf() {
  const asked: unknown[] = []
  async function find(query: { cursor?: string }): Promise<Page<number>> {
    asked.push(query)
    const from = Number(query.cursor ?? 0)
    return { items: [from, from + 1], ...(from < 4 && { nextCursor: String(from + 2) }) }
  }
  return { asked, find: find as never }
}

test('all pages of a query are read one after the other, with the same query', async () => {
  const { asked, find } = shelf()
  assert.deepEqual(await allOf<number>({ find }, { limit: 2 }), [0, 1, 2, 3, 4, 5])
  assert.deepEqual(asked, [{ limit: 2 }, { limit: 2, cursor: '2' }, { limit: 2, cursor: '4' }])
})

test('who has seen enough reads no further page', async () => {
  const { asked, find } = shelf()
  for await (const items of pages<number>({ find }, { limit: 2 })) if (items.includes(3)) break
  assert.equal(asked.length, 2)
})
