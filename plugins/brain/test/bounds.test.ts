import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { seedRepository } from './seeded.ts'
import { start, type TestGateway } from './support.ts'

// Tests the default and the maximum of each limit, in a brain that exceeds all of them.
const ATOMS = 5_010
const HUB = 60
const PAIRS = 250

let gateway: TestGateway
let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-brain-bounds-'))
  await seedRepository(
    dataDir,
    Array.from({ length: ATOMS }, (_, n) => contentOf(n)),
  )
  gateway = await start({ dataDir })
})
after(async () => {
  await gateway.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** The newest atoms mention a hub with many neighbours, the others alternately one of many pairs and `@all`. */
function contentOf(n: number): string {
  if (n >= ATOMS - HUB) return `# Hub ${n}\n\n@hub #spoke${'abcdefghijklmnopqrstuvwxyz'[n % 26]}${n}`
  return n % 2 === 0 ? `# Pair ${n}\n\n@pair${(n / 2) % PAIRS} src/pair${(n / 2) % PAIRS}.ts` : `# All ${n}\n\n@all, an apple`
}
const lengths = async (tool: string, key: string, args: object, cut: object): Promise<readonly number[]> => [
  (await gateway.call(tool, args))[key].length,
  (await gateway.call(tool, { ...args, ...cut }))[key].length,
]
const most = 1_000_000

test('brain_log: 20 commits, at most 200', async () => {
  assert.deepEqual(await lengths('brain_log', 'commits', {}, { limit: most }), [20, 200])
})

test('brain_blame: 50 entries, at most 200', async () => {
  assert.deepEqual(await lengths('brain_blame', 'entries', {}, { limit: most }), [50, 200])
})

test('brain_explore: 60 atoms, at most 200', async () => {
  assert.deepEqual(await lengths('brain_explore', 'atoms', { sections: [] }, { atomLimit: most }), [60, 200])
})

test('brain_entity: 20 entities, at most 200; 25 touches of each, at most 200; 800 atoms, at most 5,000', async () => {
  const persons = { kind: 'person', atomLimit: most }
  assert.deepEqual(await lengths('brain_entity', 'entities', persons, { limit: most }), [20, 200])
  const all = { query: 'all', atomLimit: most }
  const [few, many] = [await gateway.call('brain_entity', all), await gateway.call('brain_entity', { ...all, touchLimit: most })]
  assert.deepEqual([few.entities[0].touches.length, many.entities[0].touches.length], [25, 200])
  assert.deepEqual([(await gateway.call('brain_entity')).atomsScanned, many.atomsScanned], [800, 5_000])
})

test('an answer of brain_entity that would be too large is cut short, and says so', async () => {
  const { entities, truncated } = await gateway.call('brain_entity', { limit: most, touchLimit: most, atomLimit: most })
  assert.ok(JSON.stringify(entities).length < 1_200_000)
  assert.ok(truncated === true || entities.length <= 200)
})

test('brain_timeline: 40 touches, at most 500, of 800 atoms, at most 5,000', async () => {
  const asked = { entity: 'all', atomLimit: most }
  assert.deepEqual(await lengths('brain_timeline', 'touches', asked, { limit: most }), [40, 500])
  const [few, many] = [await gateway.call('brain_timeline', { entity: 'all' }), await gateway.call('brain_timeline', asked)]
  assert.deepEqual([few.touchCount, many.touchCount], [(800 - HUB) / 2, (5_000 - HUB) / 2])
})

test('brain_communities: 20 groups, at most 200, of 2 entities and more, at most 50; 800 atoms, at most 5,000', async () => {
  assert.deepEqual(await lengths('brain_communities', 'communities', { atomLimit: most }, { limit: most }), [20, 200])
  const few = await gateway.call('brain_communities', { limit: most })
  assert.ok(
    few.communities.every(({ size }: { size: number }) => size >= 2) && few.communities.some(({ size }: { size: number }) => size === 2),
  )
  const large = await gateway.call('brain_communities', { minSize: most, atomLimit: most })
  assert.deepEqual(
    large.communities.map(({ size }: { size: number }) => size),
    [HUB + 1],
  )
  assert.deepEqual([few.atomsScanned, large.atomsScanned], [800, 5_000])
})

test('brain_search: 10 hits, at most 100; brain_recall_analytics: 20 most recalled, 50 dead', async () => {
  assert.deepEqual(await lengths('brain_search', 'hits', { query: 'apple' }, { k: most }), [10, 100])
  assert.equal((await gateway.call('brain_search', { query: 'apple', k: most, atomLimit: 7 })).hits.length, 7)
  const { top, dead } = await gateway.call('brain_recall_analytics')
  assert.deepEqual([top.length, dead.length], [20, 50])
  const wide = await gateway.call('brain_recall_analytics', { topLimit: 90, deadLimit: 300 })
  assert.deepEqual([wide.top.length, wide.dead.length], [90, 300])
})
