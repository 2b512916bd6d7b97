import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, storeAll } from './support.ts'

const DAY = 86_400

test('patterns come by confidence times usage count; to store or to find one again is a use', async () => {
  await using gateway = await start()
  const [sure, used] = ['Sure pattern about caching.', 'Used pattern about retries.']
  await storeAll(gateway, [
    { content: sure, source: 'pattern', tags: ['confidence:0.9', 'category:cache'] },
    { content: used, source: 'pattern', tags: ['confidence:0.4', 'net'] },
    { content: 'no pattern', source: 'bug' },
  ])
  const shown = async (args = {}) =>
    (await gateway.call('pattern_analyze', args)).patterns.map(
      (one: { content: string; confidence: number; usageCount: number; score: number }) => [
        one.content,
        one.confidence,
        one.usageCount,
        one.score,
      ],
    )
  assert.deepEqual(await shown(), [
    [sure, 0.9, 1, 0.9],
    [used, 0.4, 1, 0.4],
  ])
  await gateway.call('memory_store', { content: used, source: 'pattern' })
  await gateway.call('memory_search', { query: 'retries' })
  await until(async () => (await shown())[0][2] === 3)
  assert.deepEqual(await shown(), [
    [used, 0.4, 3, 1.2],
    [sure, 0.9, 1, 0.9],
  ])
  assert.deepEqual(await shown({ minConfidence: 0.5 }), [[sure, 0.9, 1, 0.9]])
  assert.deepEqual(await shown({ category: 'cache' }), [[sure, 0.9, 1, 0.9]])
  assert.deepEqual(await shown({ tag: 'net' }), [[used, 0.4, 3, 1.2]])
  assert.equal((await shown({ limit: 1 })).length, 1)
})

test('superseded and expired patterns come after all valid ones, marked, and take no place of theirs', async () => {
  await using gateway = await start()
  const [old] = await storeAll(gateway, [
    { content: 'old pattern', source: 'pattern', tags: ['confidence:1'] },
    { content: 'past pattern', source: 'pattern', tags: ['confidence:0.9'], validUntil: '2000-01-01T00:00:00Z' },
    { content: 'weak pattern', source: 'pattern', tags: ['confidence:0.1'] },
  ])
  await storeAll(gateway, [{ content: 'new pattern', source: 'pattern', tags: ['confidence:0.2'], supersedes: old }])
  const shown = async (args = {}) =>
    (await gateway.call('pattern_analyze', args)).patterns.map((one: { content: string; superseded?: boolean; expired?: boolean }) => [
      one.content,
      one.superseded,
      one.expired,
    ])
  const all = [
    ['new pattern', undefined, undefined],
    ['weak pattern', undefined, undefined],
    ['old pattern', true, undefined],
    ['past pattern', undefined, true],
  ]
  assert.deepEqual(await shown(), all)
  for (const limit of [2, 3]) assert.deepEqual(await shown({ limit }), all.slice(0, limit))
})

test('a pattern is fresh, aging and stale as the days without use pass', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: 'a pattern', source: 'pattern' }])
  const staleness = async () => {
    const { patterns } = await gateway.call('pattern_analyze')
    return [patterns[0].confidence, patterns[0].daysSinceUse, patterns[0].staleness]
  }
  assert.deepEqual(await staleness(), [0.5, 0, 'fresh'])
  gateway.clock.advance(30 * DAY)
  assert.deepEqual(await staleness(), [0.5, 30, 'aging'])
  gateway.clock.advance(60 * DAY)
  assert.deepEqual(await staleness(), [0.5, 90, 'stale'])
})

test('twenty patterns come unless a limit is given; a confidence outside 0 to 1 is refused', async () => {
  await using gateway = await start()
  await storeAll(
    gateway,
    Array.from({ length: 22 }, (_, i) => ({ content: `pattern ${i}`, source: 'pattern' })),
  )
  assert.equal((await gateway.call('pattern_analyze')).count, 20)
  for (const minConfidence of [-0.1, 1.1]) await assert.rejects(gateway.call('pattern_analyze', { minConfidence }), { code: 'BAD_REQUEST' })
})

/** Uses are counted after the answer. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve))
}
