import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refusal } from '@gateway/testing'
import { ATOMS, publish, start, type TestGateway, tenant } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
  await publish(gateway, '1.0.0')
})
after(() => gateway.stop())

const seed = (tenantId: string, args: object = {}) => gateway.call('brain_seed', { pack: 'starter', ...args }, tenant(tenantId))
const status = async (tenantId: string) => (await gateway.call('brain_seed_status', {}, tenant(tenantId))).seeded
const session = (tenantId: string) =>
  gateway.call('brain_commit', { kind: 'session', repo: 'web', slug: 'work', content: '# Work' }, tenant(tenantId))

test('a new brain is seeded in one commit, and says with what', async () => {
  assert.deepEqual(await status('new'), [])
  const { seeded, created, commit } = await seed('new')
  assert.equal(seeded, true)
  assert.equal(created, ATOMS.length)
  const [{ id, version, seededAt }] = await status('new')
  assert.deepEqual([id, version], ['starter', '1.0.0'])
  assert.ok(Date.parse(seededAt) > 0)
  const { commits } = await gateway.call('brain_log', {}, tenant('new'))
  assert.equal(commits[0].sha, commit)
})

test('the same version again changes nothing, sessions or not; a higher one is seeded besides', async () => {
  assert.equal((await seed('new')).seeded, false)
  await publish(gateway, '1.1.0', { atoms: [...ATOMS, { kind: 'memory', slug: 'more', topic: 'docs', content: '# More' }] })
  const { version, created } = await seed('new')
  assert.deepEqual([version, created], ['1.1.0', 1])
  await session('new')
  assert.equal((await seed('new', { version: '1.0.0' })).seeded, false)
  assert.equal((await status('new')).length, 2)
})

test('a brain with sessions is seeded with force only', async () => {
  await session('busy')
  await assert.rejects(seed('busy'), refusal('BRAIN_HAS_HISTORY'))
  assert.deepEqual(await status('busy'), [])
  assert.equal((await seed('busy', { force: true })).seeded, true)
})

test('two who seed at once seed once', async () => {
  const done = await Promise.all([seed('twice'), seed('twice')])
  assert.deepEqual(done.map(({ seeded }) => seeded).sort(), [false, true])
  assert.equal((await status('twice')).length, 1)
})

test('a pack may be as large as it may be', async () => {
  const atoms = Array.from({ length: 200 }, (_, n) => ({ kind: 'memory', slug: `n${n}`, topic: 'docs', content: 'x'.repeat(5_242) }))
  await gateway.call('brain_template_publish', { id: 'full', version: '1.0.0', atoms })
  assert.equal((await seed('full', { pack: 'full' })).created, 200)
})

test('a pack that is not there is not found', async () => {
  await assert.rejects(seed('none', { pack: 'nothing' }), refusal('NOT_FOUND'))
  await assert.rejects(seed('none', { version: '3.0.0' }), refusal('NOT_FOUND'))
})
