import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, storeAll } from './support.ts'

test('chunks are counted by repo and by source, of one repo if that is asked', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'one', repo: 'a', source: 'bug' },
    { content: 'two', repo: 'a', source: 'pattern' },
    { content: 'three', repo: 'b', source: 'bug' },
    { content: 'four' },
  ])
  assert.deepEqual(await gateway.call('memory_stats'), {
    total: 4,
    embedded: 0,
    byRepo: { '(none)': 1, a: 2, b: 1 },
    bySource: { feature: 1, bug: 2, pattern: 1 },
  })
  assert.deepEqual(await gateway.call('memory_stats', { repo: 'a' }), {
    total: 2,
    embedded: 0,
    byRepo: { a: 2 },
    bySource: { bug: 1, pattern: 1 },
  })
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/vectors/stats' })).json().total, 4)
})

test('a repo is counted whatever it is called', async () => {
  await using gateway = await start()
  const names = ['constructor', '__proto__', 'toString']
  await storeAll(
    gateway,
    names.map((repo) => ({ content: `of ${repo}`, repo })),
  )
  assert.deepEqual(Object.entries((await gateway.call('memory_stats')).byRepo).sort(), names.map((name) => [name, 1]).sort())
})
