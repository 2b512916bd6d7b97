import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refusal } from '@gateway/testing'
import { share, start, type TestGateway } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
})
after(() => gateway.stop())

const grants = async (args: object = {}) => (await gateway.call('brain_namespace_grants', args)).grants
const unshare = (namespace = 'web') => gateway.call('brain_namespace_unshare', { namespace, granteeTenantId: 'acme' })

test('what was never granted cannot be taken back', async () => {
  await assert.rejects(unshare(), refusal('NEVER_GRANTED'))
})

test('there is one grant for a namespace and a grantee, whose level the last one sets', async () => {
  await share(gateway, 'read')
  await share(gateway, 'read-write')
  const all = await grants()
  assert.equal(all.length, 1)
  assert.equal(all[0].level, 'read-write')
})

test('a grant that is taken back stays with the time, and is taken back once', async () => {
  const { revokedAt } = await unshare()
  assert.equal((await unshare()).revokedAt, revokedAt)
  assert.equal((await grants())[0].revokedAt, revokedAt)
  assert.deepEqual(await grants({ activeOnly: true }), [])
})

test('sharing again takes the revocation back', async () => {
  const { grant } = await share(gateway, 'read')
  assert.equal(grant.revokedAt, undefined)
  assert.equal((await grants({ activeOnly: true })).length, 1)
})

test('grants are listed newest first, of one namespace where it is named', async () => {
  for (const namespace of ['zoo', 'app']) {
    gateway.clock.advance(60)
    await share(gateway, 'read', namespace)
  }
  const names = (await grants()).map(({ namespace }: { namespace: string }) => namespace)
  assert.deepEqual(names, ['app', 'zoo', 'web'])
  assert.equal((await grants({ namespace: 'app' })).length, 1)
})

test('only a bare name, a known level and another tenant are taken', async () => {
  const given = { namespace: 'web', granteeTenantId: 'acme', level: 'read' }
  for (const [field, value] of [
    ['namespace', 'repos/web'],
    ['namespace', '../web'],
    ['namespace', '-web'],
    ['granteeTenantId', 'a b'],
    ['granteeTenantId', 'ACME'],
    ['granteeTenantId', 'local'],
    ['level', 'admin'],
  ] as const)
    await assert.rejects(gateway.call('brain_namespace_share', { ...given, [field]: value }), refusal('BAD_REQUEST', field))
})
