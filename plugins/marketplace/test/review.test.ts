import assert from 'node:assert/strict'
import { test } from 'node:test'
import { as, CONTENT, decide, start, submit } from './support.ts'

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
  const { status, updatedAt } = await submit(gateway)
  assert.equal(status, 'in_review')
  gateway.clock.advance(1)
  assert.equal((await submit(gateway)).updatedAt, updatedAt, 'the same once more is no renewal')
  assert.equal((await decide(gateway, 'publish')).status, 'published')
})

test('a submission that was renewed after it was read is not published, not even by a caller that names no time', async () => {
  await using gateway = await start()
  const read = await submit(gateway)
  // Neither the artifact nor the manifest may be exchanged, also within one millisecond.
  const renewals = [
    await submit(gateway, {}, 'author', 'Unread text.'),
    await submit(gateway, { tools: [] }, 'author', 'Unread text.'),
    await submit(gateway, { title: 'Unread' }),
  ]
  const times = [read, ...renewals].map(({ updatedAt }) => updatedAt)
  assert.deepEqual(times, [...new Set(times)].sort())
  for (const ifUpdatedAt of [...times.slice(0, -1), undefined]) {
    const call = decide(gateway, 'publish', '1.0.0', 'reviewer', ifUpdatedAt === undefined ? {} : { ifUpdatedAt })
    await assert.rejects(call, { code: 'CONFLICT', message: /^`ifUpdatedAt`/ }, ifUpdatedAt)
  }
  await assert.rejects(decide(gateway, 'delist', '1.0.0', 'reviewer', { ifUpdatedAt: read.updatedAt }), { code: 'CONFLICT' })
  assert.deepEqual((await gateway.call('marketplace_search')).listings, [])
  const [row] = (await gateway.call('marketplace.reviews-list')).versions
  const { title } = await decide(gateway, 'publish', '1.0.0', 'reviewer', { ifUpdatedAt: row.updatedAt })
  assert.equal(title, 'Unread')
})

test('of two authors of one version, a decision applies to the named one alone', async () => {
  await using gateway = await start()
  await submit(gateway)
  await submit(gateway, { title: 'Mine too' }, 'late')
  const { versions } = await gateway.call('marketplace.reviews-list')
  assert.deepEqual(
    versions.map(({ submissionId, authorTenantId }: Record<string, unknown>) => [submissionId, authorTenantId]),
    [
      ['author/reviewer@1.0.0', 'author'],
      ['late/reviewer@1.0.0', 'late'],
    ],
  )
  const of = (authorTenantId: string) => ['1.0.0', 'reviewer', { authorTenantId }] as const
  await assert.rejects(decide(gateway, 'delist'), { code: 'CONFLICT', message: /^`authorTenantId`.*author, late/ })
  const first = await gateway.call('marketplace.versions-get', { slug: 'reviewer', version: '1.0.0' })
  assert.equal(first.authorTenantId, 'author', 'who submitted it first')
  await assert.rejects(decide(gateway, 'publish', ...of('nobody')), { code: 'NOT_FOUND' })
  await decide(gateway, 'publish', ...of('author'))
  const late = { slug: 'reviewer', version: '1.0.0', authorTenantId: 'late' }
  assert.equal((await gateway.call('marketplace.versions-get', late)).version.title, 'Mine too')
  for (const decision of ['publish', 'suspend', 'yank'])
    await assert.rejects(decide(gateway, decision, ...of('late')), { code: 'CONFLICT' }, decision)
  assert.equal((await decide(gateway, 'delist', ...of('late'))).status, 'delisted')
  assert.deepEqual((await gateway.call('marketplace.reviews-list')).versions, [])
  assert.equal((await gateway.call('marketplace_install', { slug: 'reviewer' }, as('buyer'))).install.title, 'Reviewer')
  assert.equal((await decide(gateway, 'suspend')).title, 'Reviewer', 'the only one that is not refused')
  assert.deepEqual((await gateway.call('marketplace_search')).listings, [])
})
