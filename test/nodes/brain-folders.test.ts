import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { commit, start, type TestGateway } from '../../plugins/brain/test/support.ts'
import { database, skip } from './nodes.ts'

const options = { skip: skip !== false, timeout: 300_000 }
const title = (promise: string): string => `${promise}${skip ? ` (${skip})` : ''}`
const ELSEWHERE = { code: 'UNAVAILABLE', details: { setting: 'GATEWAY_BRAINS_DIR' } }

/** Starts two gateways on one database, each with its folder of brains. */
async function twoNodes(t: TestContext, brains: (folder: string) => readonly [string, string]) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-brain-folders-'))
  const env = { MONGODB_URL: database(), GATEWAY_HASH_KEY: '5a'.repeat(32) }
  const places = brains(folder)
  const begin = (at: string): Promise<TestGateway> => start({ config: { git: { brains: at } }, env })
  const [a, b] = [await begin(places[0]), await begin(places[1])]
  t.after(async () => {
    await Promise.all([a.stop(), b.stop()])
    await rm(folder, { recursive: true, force: true })
  })
  return { a, b, places }
}

const found = async (gateway: TestGateway, query: string): Promise<readonly (string | undefined)[]> =>
  ((await gateway.call('brain_search', { query })).hits as readonly { atom?: { slug: string } }[]).map(({ atom }) => atom?.slug)

const refused = async (work: Promise<unknown>): Promise<void> => {
  await assert.rejects(work, (error: { code: string; details: { setting: string }; message: string }) => {
    assert.deepEqual({ code: error.code, details: { setting: error.details.setting } }, ELSEWHERE)
    assert.match(error.message, /GATEWAY_BRAINS_DIR/)
    return true
  })
}

test(
  title('a node with a folder of brains of its own refuses writes of a brain that another node has, and finds its atoms'),
  options,
  async (t) => {
    const { a, b, places } = await twoNodes(t, (folder) => [join(folder, 'a'), join(folder, 'b')])
    await commit(a, { slug: 'pear', content: '# Pear\n\nA pear tree.' })
    await refused(commit(b, { slug: 'plum', content: '# Plum\n\nA plum tree.' }))
    await refused(b.call('brain_branch', { slug: 'orchard' }))
    await refused(b.call('brain_log', {}))
    for (const node of [a, b]) assert.deepEqual([await found(node, 'pear'), await found(node, 'plum')], [['pear'], []])

    // A copy of an earlier state is another repository as well.
    await cp(join(places[0], 'local.git'), join(places[1], 'local.git'), { recursive: true })
    await commit(a, { slug: 'quince', content: '# Quince\n\nA quince tree.' })
    await refused(commit(b, { slug: 'plum', content: '# Plum\n\nA plum tree.' }))
    for (const node of [a, b]) assert.deepEqual([await found(node, 'pear'), await found(node, 'quince')], [['pear'], ['quince']])
    await commit(a, { slug: 'apple', content: '# Apple\n\nAn apple tree.' })
    assert.deepEqual(await found(b, 'apple'), ['apple'])
  },
)

test(title('of first commits at two nodes with folders of their own none that is acknowledged is lost'), options, async (t) => {
  const { a, b } = await twoNodes(t, (folder) => [join(folder, 'a'), join(folder, 'b')])
  const slugs = [a, b].map((node, n) => ({ node, slug: `tree-${n}` }))
  const outcomes = await Promise.allSettled(slugs.map(({ node, slug }) => commit(node, { slug, content: `# ${slug}\n\nForest ${slug}.` })))
  const kept = slugs.filter((_, n) => outcomes[n]?.status === 'fulfilled').map(({ slug }) => slug)
  assert.ok(kept.length > 0, JSON.stringify(outcomes))
  for (const node of [a, b]) assert.deepEqual((await found(node, 'forest')).toSorted(), kept)
})

test(title('nodes that share a folder of brains write the same brain in turn'), options, async (t) => {
  const { a, b } = await twoNodes(t, (folder) => [join(folder, 'brains'), join(folder, 'brains')])
  await commit(a, { slug: 'pear', content: '# Pear\n\nA pear tree.' })
  await commit(b, { slug: 'plum', content: '# Plum\n\nA plum tree.' })
  await commit(a, { slug: 'quince', content: '# Quince\n\nA quince tree.' })
  for (const node of [a, b]) assert.deepEqual((await found(node, 'tree')).toSorted(), ['pear', 'plum', 'quince'])
})
