import assert from 'node:assert/strict'
import { test } from 'node:test'
import { as, decide, published, start, submit, type TestGateway } from './support.ts'

const search = async (gateway: TestGateway, args: object = {}): Promise<string[]> =>
  (await gateway.call('marketplace_search', args, as('reader'))).listings.map(
    ({ slug, version }: { slug: string; version: string }) => `${slug}@${version}`,
  )

test('every tenant finds what is published, as a summary, by words, kind and category', async () => {
  await using gateway = await start()
  await published(gateway, { slug: 'cleaner', title: 'Data cleaner', category: 'data' })
  await published(gateway, { slug: 'writer', kind: 'skill', title: 'Release notes', category: 'content', price: 5 })
  await submit(gateway, { slug: 'waiting' })
  assert.deepEqual(await search(gateway), ['cleaner@1.0.0', 'writer@1.0.0'])
  assert.deepEqual(await search(gateway, { q: 'notes' }), ['writer@1.0.0'])
  assert.deepEqual(await search(gateway, { kind: 'skill' }), ['writer@1.0.0'])
  assert.deepEqual(await search(gateway, { category: 'data' }), ['cleaner@1.0.0'])
  assert.deepEqual(await search(gateway, { q: 'notes', kind: 'agent' }), [])
  const { listings } = await gateway.call('marketplace_search', { q: 'cleaner' })
  const { publishedAt: _at, ...summary } = listings[0]
  const shown = {
    slug: 'cleaner',
    kind: 'agent',
    version: '1.0.0',
    title: 'Data cleaner',
    description: 'Reviews pull requests.',
    category: 'data',
  }
  assert.deepEqual(summary, shown)
})

test('a listing is shown as its newest version that can be installed, and not at all without one', async () => {
  await using gateway = await start()
  await published(gateway, { version: '1.9.0' })
  await published(gateway, { version: '1.10.0', title: 'Newer' })
  assert.deepEqual(await search(gateway, { q: 'newer' }), ['reviewer@1.10.0'])
  await decide(gateway, 'yank', '1.10.0')
  assert.deepEqual(await search(gateway), ['reviewer@1.9.0'])
  await decide(gateway, 'suspend', '1.9.0')
  assert.deepEqual(await search(gateway), [])
  await decide(gateway, 'publish', '1.9.0')
  assert.deepEqual(await search(gateway), ['reviewer@1.9.0'])
  await decide(gateway, 'delist', '1.9.0')
  assert.deepEqual(await search(gateway), [])
})

test('20 come without a limit, never more than 100, and a limit above that is cut', async () => {
  await using gateway = await start({ maxUnpublished: 200 })
  for (let at = 0; at < 101; at++) await published(gateway, { slug: `agent-${at}` })
  assert.deepEqual([(await search(gateway)).length, (await search(gateway, { limit: 500 })).length], [20, 100])
  assert.equal((await search(gateway, { q: 'reviewer', limit: 500 })).length, 100)
})
