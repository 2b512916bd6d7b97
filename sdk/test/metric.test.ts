import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Collection, type Reach, readThroughout, sumThroughout } from '../src/index.ts'

interface Frog {
  readonly green: number
}

/** Tenants and their values; `read` keeps the order of requests. */
function pond(tenants: Record<string, number>) {
  const asked: string[] = []
  const collectionOf = (tenantId: string) => ({ tenantId }) as unknown as Collection<Frog>
  const list = async () => Object.keys(tenants).map((tenantId) => ({ tenantId, collection: collectionOf(tenantId) }))
  const read = async (collection: Collection<Frog>): Promise<number> => {
    const { tenantId } = collection as unknown as { tenantId: string }
    asked.push(tenantId)
    return tenants[tenantId] ?? 0
  }
  return { asked, read, reach: Object.assign(list, { of: collectionOf }) as Reach<Frog> }
}

const oneAtATime = { firstMs: 0, ms: 0 }

test('a reading goes on where the last one ended, and is whole once every tenant was read', async () => {
  const tenants: Record<string, number> = { a: 1, b: 2, c: 3 }
  const { asked, read, reach } = pond(tenants)
  const each = readThroughout(reach, read, oneAtATime)
  assert.deepEqual([await each(), await each()], [undefined, undefined])
  assert.deepEqual(await each(), [1, 2, 3])
  tenants.a = 10
  assert.deepEqual(await each(), [2, 3, 10])
  assert.deepEqual(asked, ['a', 'b', 'c', 'a'])
})

test('who comes is read before others are read again, and who has gone is left out', async () => {
  const tenants: Record<string, number> = { a: 1, b: 2 }
  const { asked, read, reach } = pond(tenants)
  const each = readThroughout(reach, read, oneAtATime)
  await each()
  await each()
  tenants.late = 5
  delete tenants.a
  assert.deepEqual(await each(), [2, 5])
  assert.deepEqual(asked, ['a', 'b', 'late'])
})

test('within its time a reading is of all tenants, and the sums are by name', async () => {
  const { read, reach } = pond({ a: 1, b: 2, c: 3 })
  const sum = sumThroughout(reach, async (collection) => ({ green: await read(collection), blue: 1 }))
  assert.deepEqual(await sum(), { green: 6, blue: 3 })
  assert.deepEqual(await sum(), { green: 6, blue: 3 })
})
