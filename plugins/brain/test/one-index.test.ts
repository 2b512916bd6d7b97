import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commit, start, type TestGateway } from './support.ts'

const found = async (gateway: TestGateway, args: object, options?: object): Promise<string[]> =>
  (await gateway.call('memory_search', { source: 'brain', ...args }, options)).results.map(({ title }: { title: string }) => title)
const words = async (gateway: TestGateway): Promise<string[]> =>
  ((await gateway.documents()).memory ?? []).map((one) => (one as { id: string }).id).sort()

test('memory_search with source brain finds atoms, as chunks with the atom’s path for their id', async () => {
  await using gateway = await start()
  const { atom } = await commit(gateway, { slug: 'lamp', topic: 'docs', content: '# Lamp\n\nThe lighthouse is white.' })
  await gateway.call('memory_store', { content: 'A lighthouse that no atom speaks of.' })
  const { count, results, mode } = await gateway.call('memory_search', { source: 'brain', query: 'lighthouses' })
  assert.deepEqual([count, mode], [1, 'lexical'])
  const [{ chunkId, content, source, repo, tags, title, createdAt, hash }] = results
  assert.deepEqual([chunkId, source, repo, tags, title, createdAt], [atom.path, 'brain', 'web', ['docs'], 'Lamp', atom.at])
  assert.match(content, /^# Lamp\n\nThe lighthouse is white\.$/)
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.deepEqual(await found(gateway, { query: 'lighthouse', repo: 'app' }), [])
  assert.deepEqual(await found(gateway, { query: 'lighthouse' }, { as: { tenantId: 'acme' } }), [])
  assert.equal((await gateway.call('memory_search', { query: 'lighthouse' })).count, 2, 'without a source both are found')
  assert.equal((await gateway.call('memory_search', { query: 'lighthouse', source: 'feature' })).count, 1)
  const answer = await gateway.inject({ method: 'POST', url: '/api/vectors/search', body: { source: 'brain', query: 'lighthouse' } })
  assert.equal(answer.json().results[0].chunkId, atom.path)
})

test('a topic is a tag: alone it brings the newest atoms first, and no atom has two', async () => {
  await using gateway = await start()
  for (const slug of ['first', 'second']) await commit(gateway, { slug, topic: 'docs', content: `# ${slug}\n\nwritten` })
  await commit(gateway, { slug: 'other', topic: 'billing', content: '# other\n\nwritten' })
  assert.deepEqual(await found(gateway, { tags: ['docs'] }), ['second', 'first'])
  assert.deepEqual(await found(gateway, { tags: ['docs'], limit: 1 }), ['second'])
  assert.deepEqual((await found(gateway, { query: 'written', tags: ['docs'] })).sort(), ['first', 'second'])
  assert.deepEqual(await found(gateway, { tags: ['docs', 'billing'] }), [])
})

test('atoms of a working branch are found from that branch alone, and once when they are merged', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'base', content: 'a walnut tree' })
  await gateway.call('brain_branch', { slug: 'try' })
  await commit(gateway, { slug: 'try', content: 'a walnut table' })
  const both = async () => [(await found(gateway, { query: 'walnut' })).length, (await search(gateway, 'walnut')).length]
  assert.deepEqual(await both(), [2, 2])
  await gateway.call('brain_checkout', { ref: 'main' })
  assert.deepEqual(await both(), [1, 1])
  await gateway.call('brain_checkout', { ref: 'idea/try' })
  await gateway.call('brain_merge')
  assert.deepEqual(await both(), [2, 2])
})

test('what is taken back leaves the index with its commit, and nothing is left of it', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'stays', content: 'a chestnut' })
  const { atom } = await commit(gateway, { slug: 'goes', content: 'a chestnut' })
  await gateway.call('brain_revert', { sha: atom.commit })
  assert.deepEqual(
    (await search(gateway, 'chestnut')).map(({ atom }) => atom.slug),
    ['stays'],
  )
  assert.equal((await words(gateway)).length, 1)
})

test('a restart finds every atom once, and an identical write again adds none', async () => {
  await using gateway = await start()
  const all = Array.from({ length: 20 }, (_, n) => ({ slug: `s${n}`, content: `hazel number ${n}` }))
  await Promise.all(all.map((one) => commit(gateway, one)))
  const before = await words(gateway)
  assert.equal(before.length, 20)
  await gateway.restart()
  await Promise.all(all.map((one) => commit(gateway, one)))
  assert.deepEqual(await words(gateway), before)
  assert.equal((await found(gateway, { query: 'hazel', limit: 100 })).length, 20)
})

test('brain_search tells a session atom once, also when memory was reindexed', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'day', content: '# The day\n\nWe measured the pendulum.' })
  const { results } = await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(results, [{ origin: 'brain:atoms', chunks: 1, stored: 0, removed: 0 }])
  const { corpora } = await gateway.call('brain_search', { query: 'pendulum' })
  assert.deepEqual(corpora, { brain: 1, memory: 0 })
})

const search = async (gateway: TestGateway, query: string): Promise<{ atom: { slug: string } }[]> =>
  (await gateway.call('brain_search', { query })).hits
