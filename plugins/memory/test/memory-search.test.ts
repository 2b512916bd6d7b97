import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contents, start, storeAll } from './support.ts'

test('a question finds what was stored in other forms of its words, by any of them', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'The runner lost its lease because the heartbeat was late.' },
    { content: 'Deploying to staging needs the VPN.' },
    { content: 'Colours of the dashboard were changed.' },
  ])
  const { results, count, mode } = await gateway.call('memory_search', { query: 'Why do runners lose leases?' })
  assert.equal(results[0].content, 'The runner lost its lease because the heartbeat was late.')
  assert.deepEqual([count, mode, results[0].foundBy], [results.length, 'lexical', ['words']])
  assert.deepEqual(await contents(gateway, { query: 'how was it deployed' }), ['Deploying to staging needs the VPN.'])
})

test('the answer says which setting would give more than words', async () => {
  await using gateway = await start()
  const { mode, hint } = await gateway.call('memory_search', { query: 'anything' })
  assert.equal(mode, 'lexical')
  assert.match(hint, /embeddings/)
})

test('an identifier is found whole and by its parts, and stands above what only resembles it', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'tasks and tasks and claims: a claim of tasks, the claim, tasks claim tasks.' },
    { content: 'The tool tasks_claim answers null when the queue is empty, whatever else there may be to say about queues in general.' },
    { content: 'In leaseReaper.ts the sweep begins.' },
  ])
  assert.match(
    (await contents(gateway, { query: 'what does tasks_claim answer about tasks and claims' }))[0] as string,
    /^The tool tasks_claim/,
  )
  assert.match((await contents(gateway, { query: 'tasks_claim' }))[0] as string, /^The tool/)
  assert.match((await contents(gateway, { query: 'the reaper' }))[0] as string, /^In leaseReaper/)
  assert.match((await contents(gateway, { query: 'leaseReaper.ts' }))[0] as string, /^In leaseReaper/)
})

test('a phrase in quotes is found as it is written', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'late heartbeats, late again, and heartbeats late: late late heartbeats' },
    { content: 'It was a late heartbeat that did it, in the end, after a long search through logs.' },
  ])
  const { results } = await gateway.call('memory_search', { query: '"late heartbeat" heartbeats late' })
  assert.match(results[0].content, /^It was a late heartbeat/)
  assert.ok(results[0].foundBy.includes('exact'))
})

test('texts of other scripts are found by their words', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: '東京の事務所で会議を開いた' },
    { content: 'Встреча в понедельник' },
    { content: 'Die Brücke über die Straße' },
  ])
  assert.deepEqual(await contents(gateway, { query: '東京' }), ['東京の事務所で会議を開いた'])
  assert.deepEqual(await contents(gateway, { query: 'понедельник' }), ['Встреча в понедельник'])
  assert.deepEqual(await contents(gateway, { query: 'brucke' }), ['Die Brücke über die Straße'])
})

test('what stands beside it in its session helps to find a chunk', async () => {
  await using gateway = await start()
  const session = { sessionId: 's1' }
  await storeAll(gateway, [
    { content: 'Ada: Which database did you take for the ledger?', ...session },
    { content: 'Ben: Postgres, in the end.', ...session },
    { content: 'Ada: Lunch?', sessionId: 's2' },
  ])
  const found = await contents(gateway, { query: 'database for the ledger' })
  assert.deepEqual(found, ['Ada: Which database did you take for the ledger?', 'Ben: Postgres, in the end.'])
})

test('repo, source and tags narrow the answer; all tags must be there', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'cache one', repo: 'a', source: 'bug', tags: ['x', 'y'] },
    { content: 'cache two', repo: 'b', source: 'bug', tags: ['x'] },
    { content: 'cache three', repo: 'a', source: 'pattern' },
  ])
  const sorted = async (args: object) => (await contents(gateway, { query: 'cache', ...args })).sort()
  assert.deepEqual(await sorted({ repo: 'a' }), ['cache one', 'cache three'])
  assert.deepEqual(await sorted({ source: 'bug' }), ['cache one', 'cache two'])
  assert.deepEqual(await sorted({ tags: ['x'] }), ['cache one', 'cache two'])
  assert.deepEqual(await sorted({ tags: ['x', 'y'] }), ['cache one'])
  assert.deepEqual(await sorted({ repo: 'a', source: 'bug', tags: ['x'] }), ['cache one'])
  assert.deepEqual(await sorted({ repo: 'c' }), [])
  assert.deepEqual(await sorted({ source: 'brain' }), [])
})

test('tags alone give the newest that have them', async () => {
  await using gateway = await start()
  for (const content of ['first', 'second', 'third']) {
    await gateway.call('memory_store', { content, tags: ['t', content] })
    gateway.clock.advance(1)
  }
  assert.deepEqual(await contents(gateway, { tags: ['t'] }), ['third', 'second', 'first'])
  assert.deepEqual(await contents(gateway, { tags: ['t'], limit: 1 }), ['third'])
  assert.deepEqual(await contents(gateway, { tags: ['second'] }), ['second'])
})

test('neither a query nor tags is a bad request; another source too', async () => {
  await using gateway = await start()
  for (const args of [{}, { tags: [] }, { query: '  ' }]) {
    await assert.rejects(gateway.call('memory_search', args), { code: 'BAD_REQUEST', message: /query.*tags/ })
  }
  await assert.rejects(gateway.call('memory_search', { query: 'x', source: 'other' }), { code: 'BAD_REQUEST' })
})

test('ten chunks come unless a limit says otherwise', async () => {
  await using gateway = await start()
  await storeAll(
    gateway,
    Array.from({ length: 15 }, (_, i) => ({ content: `note number ${i}` })),
  )
  assert.equal((await contents(gateway, { query: 'note' })).length, 10)
  assert.equal((await contents(gateway, { query: 'note', limit: 12 })).length, 12)
})

test('of equals the newer comes first, until the settings switch that off', async () => {
  const run = async (config?: object): Promise<string> => {
    await using gateway = await start(config ? { config: { memory: config as Record<string, unknown> } } : {})
    await gateway.call('memory_store', { content: 'retry with jitter (a)' })
    gateway.clock.advance(90 * 86_400)
    await gateway.call('memory_store', { content: 'retry with jitter (b)' })
    const { results } = await gateway.call('memory_search', { query: 'retry jitter' })
    return `${results[0].content.at(-2)} ${results[0].score > results[1].score}`
  }
  assert.equal(await run(), 'b true')
  assert.match(await run({ recencyBoost: 0 }), /false$/)
})

test('a person whom the question names stands above another who said the like', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'Melanie: I went hiking at the lake last summer.' },
    { content: 'Caroline: I went hiking at the lake last summer.' },
  ])
  assert.match((await contents(gateway, { query: 'Where did Caroline go hiking?' }))[0] as string, /^Caroline/)
  assert.match((await contents(gateway, { query: 'Where did Melanie go hiking?' }))[0] as string, /^Melanie/)
})

test('one tenant does not find what another stored, nor is told that it knew it', async () => {
  await using gateway = await start()
  const [mine, theirs] = [{ as: { tenantId: 'mine' } }, { as: { tenantId: 'theirs' } }]
  assert.equal((await gateway.call('memory_store', { content: 'the secret plan' }, mine)).stored, true)
  assert.equal((await gateway.call('memory_search', { query: 'secret plan' }, theirs)).count, 0)
  assert.equal((await gateway.call('memory_store', { content: 'the secret plan' }, theirs)).stored, true)
  assert.equal((await gateway.call('memory_stats', {}, theirs)).total, 1)
})

test('over REST tags alone will do for the memory, and not for the vectors; topN is the limit', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'alpha one', tags: ['t'] },
    { content: 'alpha two', tags: ['t'] },
  ])
  const post = async (url: string, body: object) => {
    const { status, ...response } = await gateway.inject({ method: 'POST', url, body })
    return { status, body: response.json() }
  }
  assert.equal((await post('/api/memory/search', { tags: ['t'], topN: 1 })).body.count, 1)
  assert.equal((await post('/api/memory/search', { query: 'alpha' })).body.results.length, 2)
  assert.equal((await post('/api/memory/search', {})).status, 400)
  assert.equal((await post('/api/memory/search', { tags: [] })).status, 400)
  assert.equal((await post('/api/vectors/search', { query: 'alpha', tags: ['t'], limit: 1 })).body.count, 1)
  assert.equal((await post('/api/vectors/search', { tags: ['t'] })).status, 400)
})
