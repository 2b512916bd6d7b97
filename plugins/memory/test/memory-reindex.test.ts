import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemoryDocument } from '../src/api.ts'
import { asked, asker, contents, Files, start, Unlisted } from './support.ts'

const state: MemoryDocument = {
  markdown: '# State\n\nIntro words.\n\n## Now\n\nThe ledger migrates.\n\n```\n## no heading\n```\n\n## Next\n\nRelease it.\n',
  repo: 'master',
  source: 'state',
  title: 'state.md',
  cut: 'headings',
}
const archive: MemoryDocument = {
  markdown:
    '## 2026-03-01 session\n\nFixed the parser.\n\n### Details\n\nA fence was left open.\n\n## 2026-03-05 session\n\nShipped the dashboard.\n',
  repo: 'master',
  source: 'archive',
  cut: 'sections',
}

test('files are cut along their headings, and a second run stores nothing', async () => {
  const files = new Files()
  files.master.set('state.md', state)
  await using gateway = await start({ plugins: [files.plugin] })
  const first = await gateway.call('memory_reindex')
  assert.deepEqual(first, {
    scope: 'master',
    totalStored: 3,
    totalRemoved: 0,
    results: [{ origin: 'files:state.md', repo: 'master', chunks: 3, stored: 3, removed: 0 }],
  })
  assert.equal((await gateway.call('memory_reindex')).totalStored, 0)
  assert.equal((await gateway.call('memory_stats')).total, 3)
  const { results } = await gateway.call('memory_search', { query: 'what is migrating now' })
  assert.deepEqual([results[0].headings, results[0].title], [['State', 'Now'], 'state.md'])
  assert.match(results[0].content, /## no heading/)
})

test('session blocks are level-2 sections with the date of their heading, and are recalled as such', async () => {
  const files = new Files()
  files.master.set('archive.md', archive).set('state.md', state)
  await using gateway = await start({ plugins: [files.plugin] })
  await gateway.call('memory_reindex')
  const { blocks } = await gateway.call('recall_session', { query: 'who left the fence open in the parser' })
  assert.match(blocks[0].content, /Fixed the parser\.[\s\S]*A fence was left open/)
  assert.deepEqual([blocks[0].title, blocks[0].createdAt], ['2026-03-01 session', '2026-03-01T00:00:00.000Z'])
  assert.deepEqual(await contents(gateway, { query: 'session', since: '2026-03-02' }, 'recall_session'), ['Shipped the dashboard.'])
  assert.deepEqual(await contents(gateway, { query: 'ledger migrates' }, 'recall_session'), [])
  assert.equal((await contents(gateway, { query: 'session parser dashboard', k: 1 }, 'recall_session')).length, 1)
  assert.deepEqual(await contents(gateway, { query: 'session', repo: 'other' }, 'recall_session'), [])
  for (const since of ['2026-02-30', '2026-13-45', '02/03/2026']) {
    await assert.rejects(gateway.call('recall_session', { query: 'x', since }), { code: 'BAD_REQUEST', message: /since/ })
  }
})

test('what changed in a file is replaced, what is gone leaves, what is also elsewhere or was stored by itself stays', async () => {
  const files = new Files()
  files.master.set('a.md', { ...state, markdown: 'shared part' }).set('b.md', { ...state, markdown: 'shared part\n\n# Own\n\nown part' })
  await using gateway = await start({ plugins: [files.plugin] })
  await gateway.call('memory_reindex', { scope: 'all' })
  await gateway.call('memory_store', { content: 'own part' })
  files.master.set('a.md', { ...state, markdown: 'changed part' })
  const { totalStored, totalRemoved } = await gateway.call('memory_reindex')
  assert.deepEqual([totalStored, totalRemoved], [1, 0])
  assert.deepEqual((await contents(gateway, { query: 'part' })).sort(), ['changed part', 'own part', 'shared part'])
  files.master.delete('b.md')
  assert.equal((await gateway.call('memory_reindex', { scope: 'all' })).totalRemoved, 1)
  assert.deepEqual((await contents(gateway, { query: 'part' })).sort(), ['changed part', 'own part'])
})

test('master leaves other repos alone; all reads them too; any other scope is master', async () => {
  const files = new Files()
  files.master.set('m.md', { ...state, markdown: 'master words' })
  files.others.set('o.md', { ...state, markdown: 'other words', repo: 'other' })
  await using gateway = await start({ plugins: [files.plugin] })
  assert.equal((await gateway.call('memory_reindex')).totalStored, 1)
  const all = await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual([all.scope, all.totalStored], ['all', 1])
  const odd = await gateway.call('memory_reindex', { scope: 'whatever' })
  assert.deepEqual([odd.scope, odd.totalStored, odd.totalRemoved], ['master', 0, 0])
  assert.equal((await contents(gateway, { query: 'words' })).length, 2)
})

test('a file that cannot be read is told of, keeps what it had, and holds up no other', async () => {
  const files = new Files()
  files.master.set('a.md', { ...state, markdown: 'first words' }).set('b.md', { ...state, markdown: 'second words' })
  await using gateway = await start({ plugins: [files.plugin] })
  await gateway.call('memory_reindex')
  files.unreadable = 'a.md'
  files.master.set('b.md', { ...state, markdown: 'third words' })
  const { results } = await gateway.call('memory_reindex', { scope: 'all' })
  assert.equal(results[0].error, 'EACCES')
  assert.deepEqual((await contents(gateway, { query: 'words' })).sort(), ['first words', 'third words'])
})

test('a client that asks for progress is told of each file as it is read', async () => {
  const files = new Files()
  files.master.set('state.md', state).set('archive.md', archive)
  await using gateway = await start({ plugins: [files.plugin] })
  const { body } = await gateway.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'memory_reindex', arguments: {}, _meta: { progressToken: 'here' } },
    },
  })
  const told = body.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
  assert.deepEqual(
    told.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params),
    [
      { progressToken: 'here', progress: 1, total: 2, message: 'files:state.md' },
      { progressToken: 'here', progress: 2, total: 2, message: 'files:archive.md' },
    ],
  )
})

test('over REST the body is optional, and any scope but all is master', async () => {
  await using gateway = await start()
  for (const body of [undefined, {}, { scope: 'odd' }]) {
    const response = await gateway.inject({ method: 'POST', url: '/api/vectors/index', ...(body && { body }) })
    assert.deepEqual([response.status, response.json()], [200, { scope: 'master', totalStored: 0, totalRemoved: 0, results: [] }])
  }
  assert.equal((await gateway.inject({ method: 'POST', url: '/api/vectors/index', body: { scope: 'all' } })).json().scope, 'all')
})

const note = (markdown: string): MemoryDocument => ({ markdown, source: 'handoff', cut: 'sections' })

for (const [run, by] of Object.entries({ 'memory_reindex all': 'tool', 'the hourly look': 'job' }))
  test(`${run} keeps what is written while it runs, and origins that no list has`, async () => {
    const family = new Unlisted()
    await using gateway = await start({ plugins: [asker, family.plugin] })
    const refresh = (origin: string) => asked(gateway, { method: 'refreshOrigin', args: [`unlisted:${origin}`] })
    const again = async () => {
      if (by === 'tool') return gateway.call('memory_reindex', { scope: 'all' })
      gateway.clock.advance(3_601)
      return gateway.runJob('memory.follow-files')
    }
    const found = async (query: string): Promise<number> => (await contents(gateway, { query })).filter((one) => one.includes(query)).length
    family.documents.set('early', [note('The astrolabe is early.')])
    await refresh('early')
    let begun = false
    family.onRead = async (origin) => {
      if (origin !== 'early' || begun) return
      begun = true
      family.documents.set('late', [note('The sextant is late.')])
      await refresh('late')
      family.documents.set('early', [note('The astrolabe is early.'), note('The gnomon was added.')])
      await refresh('early')
    }
    await again()
    assert.ok(begun)
    assert.deepEqual([await found('astrolabe'), await found('sextant'), await found('gnomon')], [1, 1, 1])
    family.documents.delete('late')
    await again()
    assert.deepEqual([await found('astrolabe'), await found('sextant'), await found('gnomon')], [1, 0, 1])
  })
