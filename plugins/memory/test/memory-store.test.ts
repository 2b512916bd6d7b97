import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, storeAll } from './support.ts'

test('a chunk is found by its words as soon as it is acknowledged', async () => {
  await using gateway = await start()
  const { chunkId, stored } = await gateway.call('memory_store', {
    content: 'Use **jitter** in retries.',
    repo: 'api',
    source: 'pattern',
    tags: ['net', 'net', 'retry'],
    sessionId: 's1',
  })
  assert.equal(stored, true)
  const [found] = (await gateway.call('memory_search', { query: 'retry' })).results
  const { content, repo, source, tags, sessionId, createdAt, hash } = found
  assert.deepEqual(
    { chunkId: found.chunkId, content, repo, source, tags, sessionId, createdAt },
    {
      chunkId,
      content: 'Use **jitter** in retries.',
      repo: 'api',
      source: 'pattern',
      tags: ['net', 'retry'],
      sessionId: 's1',
      createdAt: new Date(gateway.clock.now()).toISOString(),
    },
  )
  assert.match(hash, /^[0-9a-f]{64}$/)
})

test('the same content a second time adds no chunk, whatever else is said of it, and however many store it at once', async () => {
  await using gateway = await start()
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => gateway.call('memory_store', { content: 'once', repo: `r${i}` })))
  assert.equal(answers.filter(({ stored }) => stored).length, 1)
  assert.equal(new Set(answers.map(({ chunkId }) => chunkId)).size, 1)
  assert.equal((await gateway.call('memory_store', { content: 'once', tags: ['x'] })).stored, false)
  assert.equal((await gateway.call('memory_stats')).total, 1)
})

test('without a source it is a feature; brain and others are refused', async () => {
  await using gateway = await start()
  await gateway.call('memory_store', { content: 'plain' })
  assert.equal((await gateway.call('memory_search', { query: 'plain' })).results[0].source, 'feature')
  for (const source of ['brain', 'other']) {
    await assert.rejects(gateway.call('memory_store', { content: 'x', source }), { code: 'BAD_REQUEST', message: /source/ })
  }
})

test('content that is empty, blank or too long is refused, and nothing is stored', async () => {
  await using gateway = await start()
  for (const content of ['', ' \n ', 'x'.repeat(65_537)]) {
    await assert.rejects(gateway.call('memory_store', { content }), { code: 'BAD_REQUEST', message: /content/ })
  }
  assert.equal((await gateway.call('memory_stats')).total, 0)
  await storeAll(gateway, [{ content: `${'long '.repeat(13_000)}` }])
})

test('secrets are not kept', async () => {
  await using gateway = await start()
  await gateway.call('memory_store', { content: 'deploy with password=hunter2hunter2 on staging' })
  const documents = JSON.stringify(await gateway.documents())
  assert.ok(!documents.includes('hunter2'))
})

test('what is stored outlives a restart', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: 'durable knowledge', tags: ['d'] }])
  await gateway.restart()
  assert.equal((await gateway.call('memory_search', { query: 'durable' })).count, 1)
  assert.equal((await gateway.call('memory_search', { tags: ['d'] })).count, 1)
})
