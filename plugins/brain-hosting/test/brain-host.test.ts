import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { refusal } from '@gateway/testing'
import { acme, atomPath, clientGit, commit, commitFile, folder, remote, start, type TestGateway } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start({ config: { 'brain-hosting': { publicUrl: 'https://brains.example.com', quotaMegabytes: { solo: 1 } } } })
  await gateway.tenants.create({ name: 'Free', plan: 'free', tenantId: 'free' })
  await gateway.tenants.create({ name: 'Solo', plan: 'solo', tenantId: 'solo' })
})
after(() => gateway.stop())

const status = (options: object = acme) => gateway.call('brain_host_status', {}, options)

test('before it is provisioned there is no URL, and nothing to rotate', async () => {
  const { provisioned, url, plan, entitled } = await status()
  assert.deepEqual([provisioned, url, plan, entitled], [false, undefined, 'scale', true])
  await assert.rejects(gateway.call('brain_host_rotate', {}, acme), refusal('NOT_FOUND'))
})

test('the free plan is refused', async () => {
  const free = { as: { ...acme.as, tenantId: 'free' } }
  await assert.rejects(gateway.call('brain_host_provision', {}, free), refusal('NOT_ENTITLED'))
  assert.equal((await status(free)).entitled, false)
})

test('a new brain is made, one that is there is adopted; the token is kept by its hash alone', async () => {
  await commit(gateway, 'kept')
  const first = await gateway.call('brain_host_provision', {}, acme)
  const second = await gateway.call('brain_host_provision', {}, acme)
  assert.equal(first.url, 'https://brains.example.com/git/acme/brain.git')
  assert.notEqual(first.token, second.token)
  const clone = await folder()
  for (const { token } of [first, second]) assert.match(await clientGit(clone, 'ls-remote', remote(gateway, token)), /refs\/heads\/main/)
  await rm(clone, { recursive: true })
  const stored = JSON.stringify([await gateway.documents('acme'), await gateway.audit('acme')])
  assert.ok(!stored.includes(first.token) && !stored.includes(second.token))
})

test('the status has the URL without a credential, times, how it is protected, and the quota', async () => {
  const found = await status()
  assert.equal(found.provisioned, true)
  assert.equal(found.url, 'https://brains.example.com/git/acme/brain.git')
  assert.ok(Date.parse(found.createdAt) > 0)
  assert.deepEqual(found.encryption, { inTransit: 'tls', atRest: 'disk', tokens: 'sha-256' })
  assert.ok(found.quota.usedBytes > 0 && found.quota.usedBytes < found.quota.capBytes)
})

test('what does not fit into the quota is neither committed nor pushed', async () => {
  const solo = { as: { ...acme.as, tenantId: 'solo' } }
  const { token } = await gateway.call('brain_host_provision', {}, solo)
  const clone = await folder()
  await clientGit(clone, 'clone', '-q', remote(gateway, token, 'solo'), '.')
  const large = { kind: 'memory', slug: 'large', content: 'x'.repeat(1_100_000) }
  await assert.rejects(gateway.call('brain_commit', large, solo), (refused: { code: string; message: string; details: object }) => {
    assert.deepEqual([refused.code, Object.keys(refused.details)], ['BRAIN_QUOTA_EXCEEDED', ['bytes', 'usedBytes', 'capBytes']])
    assert.match(refused.message, /size quota of 1048576 bytes/)
    return true
  })
  const text = randomBytes(1_400_000).toString('base64')
  await commitFile(clone, atomPath('large', text, 'memory'), text)
  await assert.rejects(clientGit(clone, 'push', 'origin', 'HEAD:main'), /remote: The brain uses \d+ of the 1048576 bytes of its size quota/)
  await rm(clone, { recursive: true })
})

test('a gateway that does not know its address says so', async () => {
  await using unknown = await start({ listen: false, config: { 'brain-hosting': {} } })
  await assert.rejects(unknown.call('brain_host_provision', {}, acme), refusal('UNAVAILABLE', 'GATEWAY_PUBLIC_URL'))
})
