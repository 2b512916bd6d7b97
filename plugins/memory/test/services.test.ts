import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asked, asker, start } from './support.ts'

const at = '2026-01-01T00:00:00.000Z'

test('another family’s documents are found under their own ids, apart from memory and from other corpora', async () => {
  await using gateway = await start({ plugins: [asker] })
  const ask = (corpus: string | undefined, method: string, ...args: unknown[]) =>
    asked(gateway, { ...(corpus && { corpus }), method, args })
  await ask('brain', 'put', [
    { id: 'atoms/one.md', text: 'The lease of the runner expired.', repo: 'api', createdAt: at },
    { id: 'atoms/two.md', text: 'Billing starts in May.', tags: ['t'], createdAt: at },
  ])
  await ask('docs', 'put', [{ id: 'one', text: 'Leases in the manual.', createdAt: at }])
  await gateway.call('memory_store', { content: 'Memory of a lease.' })
  const ids = async (corpus: string, query: object) => (await ask(corpus, 'search', query)).hits.map(({ id }: { id: string }) => id)
  assert.equal((await ids('brain', { query: 'expired leases' }))[0], 'atoms/one.md')
  assert.deepEqual(await ids('docs', { query: 'leases' }), ['one'])
  assert.deepEqual(await ids('brain', { query: 'billing', tags: ['t'] }), ['atoms/two.md'])
  assert.deepEqual(await ids('brain', { query: 'billing', repo: 'api' }), ['atoms/one.md'])
  assert.equal((await gateway.call('memory_search', { query: 'leases' })).count, 1)
  assert.equal((await gateway.call('memory_stats')).total, 1)
  assert.deepEqual(await ask('brain', 'stats'), { total: 2, embedded: 0 })
})

test('a document that is put again is replaced, and one that is removed is found no more', async () => {
  await using gateway = await start({ plugins: [asker] })
  const ask = (method: string, ...args: unknown[]) => asked(gateway, { corpus: 'brain', method, args })
  const found = async (query: string) => (await ask('search', { query })).hits.map(({ id }: { id: string }) => id)
  await ask('put', [{ id: 'a', text: 'before', createdAt: at }])
  await ask('put', [{ id: 'a', text: 'after', createdAt: at }])
  assert.deepEqual([await found('before'), await found('after')], [[], ['a']])
  assert.deepEqual(await ask('present', ['a', 'b']), ['a'])
  assert.equal(await ask('remove', ['a', 'b']), 1)
  assert.deepEqual(await found('after'), [])
  await ask(
    'put',
    Array.from({ length: 600 }, (_, i) => ({ id: `d${i}`, text: `document ${i}`, createdAt: at })),
  )
  assert.equal(await ask('clear'), 600)
})

test('the drafts of one list are neighbours, and the newest are told without a query', async () => {
  await using gateway = await start({ plugins: [asker] })
  const ask = (method: string, ...args: unknown[]) => asked(gateway, { method, args })
  await ask('store', [
    { content: 'Which database?', title: 'Talk', createdAt: '2026-01-01T00:00:00.000Z', source: 'archive' },
    { content: 'Postgres.', title: 'Talk', createdAt: '2026-01-02T00:00:00.000Z', source: 'archive' },
  ])
  const { hits } = await ask('search', { query: 'database' })
  assert.deepEqual(
    hits.map(({ content }: { content: string }) => content),
    ['Which database?', 'Postgres.'],
  )
  assert.equal((await ask('search', { query: '2 January 2026' })).hits[0].content, 'Postgres.')
  const latest = await ask('latest', { sessions: true, since: '2026-01-02' }, 10)
  assert.deepEqual(
    latest.map(({ content }: { content: string }) => content),
    ['Postgres.'],
  )
})

test('of chunks that are equal but for it, that of the caller’s repo comes first', async () => {
  await using gateway = await start({ plugins: [asker] })
  for (const repo of ['a', 'b', 'c']) await gateway.call('memory_store', { content: `cache note (${repo})`, repo })
  const first = async (nearRepo: string) =>
    (await asked(gateway, { method: 'search', args: [{ query: 'cache note', nearRepo }] })).hits[0].repo
  assert.deepEqual([await first('a'), await first('b'), await first('c')], ['a', 'b', 'c'])
})
