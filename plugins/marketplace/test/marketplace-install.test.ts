import assert from 'node:assert/strict'
import { test } from 'node:test'
import { as, CONTENT, decide, published, rejected, sha256, start, submit, type TestGateway } from './support.ts'

const install = (gateway: TestGateway, args: object = {}, tenantId = 'buyer') =>
  gateway.call('marketplace_install', { slug: 'reviewer', ...args }, as(tenantId))
const registry = (gateway: TestGateway, tenantId = 'buyer', kind = 'agent') => gateway.call('registry_list', { kind }, as(tenantId))
const kept = async (gateway: TestGateway) => ((await gateway.documents('buyer'))['marketplace.installs'] ?? []).length

test('what is installed stands in the tenant’s registry, whole, and nowhere else', async () => {
  await using gateway = await start()
  await published(gateway)
  const { install: installed } = await install(gateway)
  assert.deepEqual([installed.slug, installed.version, installed.manifestHash], ['reviewer', '1.0.0', sha256(CONTENT)])
  await gateway.restart()
  const { names, whole } = await registry(gateway)
  assert.deepEqual([names, whole[0].content, whole[0].tools], [['reviewer'], CONTENT, ['registry_list']])
  for (const tenantId of ['author', 'other', 'local']) assert.deepEqual((await registry(gateway, tenantId)).names, [])
  assert.deepEqual((await registry(gateway, 'buyer', 'skill')).names, [])
})

test('without a version it is the newest that is published and not yanked', async () => {
  await using gateway = await start()
  for (const version of ['1.9.0', '1.10.0', '1.11.0']) await published(gateway, { version })
  await submit(gateway, { version: '2.0.0' })
  await decide(gateway, 'yank', '1.11.0')
  assert.equal((await install(gateway)).install.version, '1.10.0')
})

test('what is not published, yanked or paid for is rejected by the check that says so, and nothing is installed', async () => {
  await using gateway = await start()
  await submit(gateway)
  await assert.rejects(install(gateway), rejected('listing', 'slug'))
  await assert.rejects(install(gateway, { slug: 'none' }), rejected('listing', 'slug'))
  await decide(gateway, 'publish')
  await assert.rejects(install(gateway, { version: '9.9.9' }), rejected('published', 'version'))
  await submit(gateway, { version: '1.0.1' })
  await assert.rejects(install(gateway, { version: '1.0.1' }), rejected('published', 'version'))
  await decide(gateway, 'yank')
  await assert.rejects(install(gateway, { version: '1.0.0' }), rejected('yanked', 'version'))
  await assert.rejects(install(gateway), rejected('yanked'))
  await decide(gateway, 'suspend')
  await assert.rejects(install(gateway), rejected('listing'))
  await published(gateway, { slug: 'dear', price: 0.5 })
  await assert.rejects(install(gateway, { slug: 'dear' }), rejected('free'))
  assert.equal(await kept(gateway), 0)
})

test('of twenty installs one is made', async () => {
  await using gateway = await start()
  await published(gateway)
  const twenty = async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => install(gateway)))
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.ok(refused.every(rejected('installed')), String(refused[0]))
    return results.length - refused.length
  }
  assert.equal(await twenty(), 1)
  await published(gateway, { version: '1.1.0' })
  assert.equal(await twenty(), 1, 'of twenty that replace it too')
  assert.equal(await kept(gateway), 1)
})

test('another version takes the place of the one before it', async () => {
  await using gateway = await start()
  await published(gateway)
  await published(gateway, { version: '1.1.0' })
  await install(gateway, { version: '1.0.0' })
  assert.equal((await install(gateway)).replaced, '1.0.0')
  assert.deepEqual((await registry(gateway)).whole[0].version, '1.1.0')
})

test('a suspended version is in no registry until it is published again; a yanked or delisted one stays with who has it', async () => {
  await using gateway = await start()
  await published(gateway)
  await install(gateway)
  await decide(gateway, 'suspend')
  assert.deepEqual((await registry(gateway)).names, [])
  await decide(gateway, 'publish')
  await decide(gateway, 'yank')
  assert.deepEqual((await registry(gateway)).names, ['reviewer'])
  await decide(gateway, 'delist')
  assert.deepEqual((await registry(gateway)).names, ['reviewer'])
})

test('what a tenant installs is bounded, listed and removed', async () => {
  await using gateway = await start({ maxInstalls: 1 })
  await published(gateway)
  await published(gateway, { slug: 'second' })
  await install(gateway)
  await assert.rejects(install(gateway, { slug: 'second' }), { code: 'CONFLICT' })
  const { installs } = await gateway.call('marketplace.installs-list', {}, as('buyer'))
  assert.deepEqual(await gateway.call('marketplace.installs-remove', { slug: 'reviewer' }, as('buyer')), { install: installs[0] })
  await assert.rejects(gateway.call('marketplace.installs-remove', { slug: 'reviewer' }, as('buyer')), { code: 'NOT_FOUND' })
  assert.deepEqual((await registry(gateway)).names, [])
  await install(gateway, { slug: 'second' })
})
