import assert from 'node:assert/strict'
import { test } from 'node:test'
import { as, CONTENT, decide, published, start, submit } from './support.ts'

test('only the operator reviews', async () => {
  await using gateway = await start()
  await submit(gateway)
  for (const decision of ['publish', 'suspend', 'delist', 'yank']) {
    const call = gateway.call(`marketplace.review-${decision}`, { slug: 'reviewer', version: '1.0.0' }, as('author'))
    await assert.rejects(call, { code: 'FORBIDDEN' }, decision)
  }
})

test('the operator sees what waits, with its artifact, and whose it is', async () => {
  await using gateway = await start()
  await submit(gateway)
  const { versions } = await gateway.call('marketplace.reviews-list')
  assert.deepEqual(
    versions.map(({ slug }: { slug: string }) => slug),
    ['reviewer'],
  )
  const seen = await gateway.call('marketplace.versions-get', { slug: 'reviewer', version: '1.0.0' })
  assert.deepEqual([seen.authorTenantId, seen.artifactContent], ['author', CONTENT])
  await assert.rejects(decide(gateway, 'publish', '7.0.0'), { code: 'NOT_FOUND' })
})

test('a decision that the state does not allow is CONFLICT; the same one twice is one', async () => {
  await using gateway = await start()
  await submit(gateway)
  for (const decision of ['suspend', 'yank']) await assert.rejects(decide(gateway, decision), { code: 'CONFLICT' }, decision)
  assert.equal((await decide(gateway, 'publish')).status, 'published')
  assert.equal((await decide(gateway, 'publish')).status, 'published')
  const yanked = await decide(gateway, 'yank')
  assert.deepEqual([yanked.status, yanked.yanked], ['published', true])
  assert.equal((await decide(gateway, 'delist')).status, 'delisted')
  for (const decision of ['publish', 'suspend', 'yank']) await assert.rejects(decide(gateway, decision), { code: 'CONFLICT' }, decision)
})

test('a refused submission may be submitted again', async () => {
  await using gateway = await start()
  await submit(gateway)
  assert.equal((await decide(gateway, 'delist')).status, 'delisted')
  assert.equal((await submit(gateway)).status, 'in_review')
  assert.equal((await published(gateway)).status, 'published')
})
