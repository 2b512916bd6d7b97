import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cosinesAmongNeighbours } from '../src/rules/near-neighbours.ts'
import { aroundOf, neighboursOf } from '../src/rules/neighbours.ts'
import { prepared } from '../src/rules/prepare.ts'

const at = '2026-01-05T09:00:00.000Z'
const record = (content: string, i: number, sessionId?: string) =>
  prepared({ id: `mem-${content}`, corpus: 'memory', content, createdAt: at, storedAs: `${i}`, sessionId })

/** Returns the raised cosine of each chunk of one session, in their order. */
function lifted(cosines: readonly number[], kept: (i: number) => boolean = () => true): readonly number[] {
  const session = cosines.map((_, i) => record(`what number ${'abcdefgh'[i]} said`, i, 's'))
  const candidates = session
    .map((one, i) => ({ record: { ...one, around: aroundOf(neighboursOf(session, i)) }, cosine: cosines[i] as number }))
    .filter((_, i) => kept(i))
  const found = cosinesAmongNeighbours(candidates)
  return candidates.map((one) => Number(found.get(one)?.toFixed(3)))
}

test('what stands beside a near chunk is half way as near, as far as its words count for it', () => {
  assert.deepEqual(lifted([0, 0, 0.8, 0, 0, 0, 0]), [0, 0.4, 0.8, 0.4, 0.4, 0, 0])
})

test('none is nearer than the nearest, and none loses by a neighbour', () => {
  assert.deepEqual(lifted([0.9, 0.5, -0.2]), [0.9, 0.7, 0.45])
})

test('those between which others stand are no neighbours, however few of the session are found', () => {
  assert.deepEqual(
    lifted([0.8, 0, 0, 0, 0.2], (i) => i === 0 || i === 4),
    [0.8, 0.2],
  )
})

test('what belongs to no session has no neighbours', () => {
  const candidates = [0.8, 0.1].map((cosine, i) => ({ record: record(`note ${i}`, i), cosine }))
  assert.deepEqual([...cosinesAmongNeighbours(candidates).values()], [0.8, 0.1])
})
