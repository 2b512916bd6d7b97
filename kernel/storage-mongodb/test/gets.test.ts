import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gets } from '../src/gets.ts'

interface Doc {
  readonly id: string
  n: number
}

function counted(limitMs = 60_000) {
  const reads: (readonly string[])[] = []
  const stored = new Map<string, Doc>()
  const gets = new Gets<Doc>(async (ids) => {
    reads.push(ids)
    const found = new Map(ids.flatMap((id) => (stored.has(id) ? [[id, { ...(stored.get(id) as Doc) }] as const] : [])))
    await new Promise(setImmediate)
    return found
  }, limitMs)
  return { gets, reads, stored }
}

test('gets that come while reads are under way are read together, each id once, and each caller has its own document', async () => {
  const { gets, reads, stored } = counted()
  for (const id of ['a', 'b', 'c']) stored.set(id, { id, n: 1 })
  const asked = Array.from({ length: 60 }, (_, n) => gets.get(['a', 'b', 'c', 'none'][n % 4] as string))
  const found = await Promise.all(asked)
  assert.equal(reads.length, 5)
  assert.deepEqual([found[0], found[1], found[2], found[3]], [stored.get('a'), stored.get('b'), stored.get('c'), undefined])
  const [one, other] = [found[4], found[8]] as [Doc, Doc]
  one.n = 2
  assert.equal(other.n, 1)
})

test('a get is answered by a read that began after it came', async () => {
  const { gets, stored } = counted()
  stored.set('a', { id: 'a', n: 1 })
  const early = Array.from({ length: 4 }, () => gets.get('a'))
  stored.set('a', { id: 'a', n: 2 })
  assert.equal((await gets.get('a'))?.n, 2)
  for (const doc of await Promise.all(early)) assert.equal(doc?.n, 1)
})

test('a read that fails fails its gets alone, and one whose answer is lost ends after the limit', async () => {
  let outcome: 'fails' | 'is lost' | 'works' = 'fails'
  const gets = new Gets<Doc>(async (ids) => {
    if (outcome === 'fails') throw new Error('away')
    if (outcome === 'is lost') await new Promise(() => {})
    return new Map(ids.map((id) => [id, { id, n: 1 }]))
  }, 20)
  await assert.rejects(gets.get('a'), /away/)
  outcome = 'is lost'
  const lost = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => gets.get(`id-${n}`)))
  assert.ok(lost.every(({ status }) => status === 'rejected'))
  outcome = 'works'
  assert.deepEqual(await gets.get('a'), { id: 'a', n: 1 })
})
