import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refusal } from '@gateway/testing'
import { ATOMS, publish, start, type TestGateway, tenant } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
})
after(() => gateway.stop())

test('only the operator publishes', async () => {
  const owner = { as: { tenantId: 'acme', role: 'owner', kind: 'user' } } as const
  await assert.rejects(
    gateway.call('brain_template_publish', { id: 'starter', version: '1.0.0', atoms: ATOMS }, owner),
    refusal('FORBIDDEN'),
  )
})

test('a version is X.Y.Z', async () => {
  for (const version of ['1', '1.0', 'v1.0.0', '1.0.0-beta', '1.0.0.0', '01.0.0', ''])
    await assert.rejects(publish(gateway, version), refusal('BAD_REQUEST', 'version'))
})

test('atoms are at most 200, of at most a megabyte, and each is an atom of a brain', async () => {
  const [memory] = ATOMS
  const many = Array.from({ length: 201 }, (_, n) => ({ ...memory, slug: `n${n}` }))
  await assert.rejects(publish(gateway, '1.0.0', { atoms: many }), refusal('BAD_REQUEST', 'atoms'))
  const large = [1, 2].map((n) => ({ ...memory, slug: `n${n}`, content: 'é'.repeat(300_000) }))
  await assert.rejects(publish(gateway, '1.0.0', { atoms: large }), refusal('BAD_REQUEST', 'atoms'))
  for (const [field, atom] of [
    ['repo', { kind: 'session', slug: 'a', content: 'x' }],
    ['repo', { kind: 'memory', repo: 'web', slug: 'a', content: 'x' }],
    ['slug', { kind: 'memory', slug: 'a..b', content: 'x' }],
    ['topic', { kind: 'memory', slug: 'a', topic: 'x.lock', content: 'x' }],
    ['content', { kind: 'memory', slug: 'a', content: '  ' }],
  ] as const)
    await assert.rejects(publish(gateway, '1.0.0', { atoms: [memory, atom] }), refusal('BAD_REQUEST', `atoms[1].${field}`))
  assert.deepEqual((await gateway.call('brain_template_list')).packs, [])
})

test('a published version stays as it is, also when two publish it at once', async () => {
  const done = await Promise.allSettled([publish(gateway, '1.2.0'), publish(gateway, '1.2.0', { title: 'Other' })])
  assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(publish(gateway, '1.2.0'), refusal('VERSION_PUBLISHED'))
})

test('warnings say what would make the pack better', async () => {
  const { warnings } = await publish(gateway, '1.10.0', { atoms: [ATOMS[0], ATOMS[0], { kind: 'memory', slug: 'x', content: 'x' }] })
  assert.match(warnings.join('\n'), /atoms\[1\] \(how-we-work\): The pack has another/)
  assert.match(warnings.join('\n'), /atoms\[2\] \(x\): No topic/)
})

test('the list has the latest version by its numbers, all of them, and how many atoms; every tenant sees it', async () => {
  await publish(gateway, '1.9.9')
  const { packs } = await gateway.call('brain_template_list', {}, tenant('acme'))
  assert.equal(packs.length, 1)
  assert.equal(packs[0].latestVersion, '1.10.0')
  assert.deepEqual(packs[0].versions, ['1.10.0', '1.9.9', '1.2.0'])
  assert.equal(packs[0].atomCount, 3)
})

test('a pack is shown with its atoms, the latest or the one that is named', async () => {
  assert.equal((await gateway.call('brain_template_get', { id: 'starter' })).pack.version, '1.10.0')
  const { atoms } = await gateway.call('brain_template_get', { id: 'starter', version: '1.9.9' }, tenant('acme'))
  assert.deepEqual(atoms, ATOMS)
  await assert.rejects(gateway.call('brain_template_get', { id: 'starter', version: '9.9.9' }), refusal('NOT_FOUND'))
  await assert.rejects(gateway.call('brain_template_get', { id: 'nothing' }), refusal('NOT_FOUND'))
})
