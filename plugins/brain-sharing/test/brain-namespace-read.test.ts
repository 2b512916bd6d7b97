import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refusal } from '@gateway/testing'
import { acme, commit, read, share, start, type TestGateway, write } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
  for (let n = 0; n < 7; n++) await commit(gateway, `work-${n}`)
})
after(() => gateway.stop())

test('without a grant nothing is read or written', async () => {
  await assert.rejects(read(gateway), refusal('NO_GRANT'))
  await assert.rejects(write(gateway), refusal('NO_GRANT'))
})

test('a grant to read shows the brief and the five newest atoms with their content, and lets nobody write', async () => {
  await share(gateway, 'read')
  const { brief, atoms } = await read(gateway)
  assert.match(brief, /web/)
  assert.equal(atoms.length, 5)
  assert.match(atoms[0].content, /# work-\d/)
  assert.equal((await read(gateway, { limit: 5_000 })).atoms.length, 7)
  await assert.rejects(write(gateway), refusal('NO_GRANT'))
})

test('no more than 50 atoms are shown at a time, the newest of them', async () => {
  gateway.clock.advance(60)
  await Promise.all(Array.from({ length: 52 }, (_, n) => commit(gateway, `more-${n}`)))
  const { atoms } = await read(gateway, { limit: 5_000 })
  assert.equal(atoms.length, 50)
  assert.ok(atoms.every(({ slug }: { slug: string }) => slug.startsWith('more-')))
})

test('what stands on a branch of the owner’s only is not shown', async () => {
  await gateway.call('brain_branch', { slug: 'hidden' })
  await commit(gateway, 'secret')
  await gateway.call('brain_checkout', { ref: 'main' })
  const { atoms } = await read(gateway, { limit: 50 })
  assert.ok(!atoms.some(({ slug }: { slug: string }) => slug === 'secret'))
})

test('a grant is for one namespace, of one owner, and for one tenant', async () => {
  await commit(gateway, 'other', { repo: 'app' })
  await assert.rejects(read(gateway, { namespace: 'app' }), refusal('NO_GRANT'))
  await assert.rejects(read(gateway, { ownerTenantId: 'globex' }), refusal('NO_GRANT'))
  const globex = { as: { ...acme.as, tenantId: 'globex' } }
  await assert.rejects(gateway.call('brain_namespace_read', { ownerTenantId: 'local', namespace: 'web' }, globex), refusal('NO_GRANT'))
})

test('a grant to write puts an atom on the owner’s main that says who wrote it', async () => {
  await share(gateway, 'read-write')
  const { atom, created } = await write(gateway)
  assert.equal(created, true)
  assert.equal(atom.writer, 'acme')
  assert.equal(atom.branch, 'main')
  assert.equal((await write(gateway)).created, false)
  const [found] = (await gateway.call('brain_log', { path: atom.path })).commits
  assert.equal(found.sha, atom.commit)
})

test('a grant taken back is refused from the next call on', async () => {
  await gateway.call('brain_namespace_unshare', { namespace: 'web', granteeTenantId: 'acme' })
  await assert.rejects(read(gateway), refusal('NO_GRANT'))
  await assert.rejects(write(gateway), refusal('NO_GRANT'))
})

test('an atom has a kind of a repo, a slug that is a name, and something to say', async () => {
  for (const [field, value] of [
    ['kind', 'memory'],
    ['slug', '../up'],
    ['slug', '--upload-pack=x'],
    ['namespace', 'a/b'],
    ['content', ' '],
    ['ownerTenantId', '../local'],
  ] as const)
    await assert.rejects(write(gateway, { [field]: value }), refusal('BAD_REQUEST', field))
})

test('an atom for somebody else holds as much as its schema says, over REST and over MCP', async () => {
  await using gateway = await start()
  // HTTP callers in a test are the local tenant: here it is the guest, and acme the owner.
  await gateway.call('brain_commit', { kind: 'session', repo: 'web', slug: 'first', content: '# First' }, acme)
  const grant = { namespace: 'web', granteeTenantId: 'local', level: 'read-write' }
  await gateway.call('brain_namespace_share', grant, { as: { ...acme.as, role: 'admin' } })
  const atom = (slug: string) => ({ ownerTenantId: 'acme', namespace: 'web', kind: 'handoff', slug, content: '€'.repeat(2_000_000) })
  const rest = await gateway.inject({ method: 'POST', url: '/api/tools/brain_namespace_write', body: atom('rest') })
  assert.equal(rest.json().created, true, rest.body.slice(0, 500))
  const params = { name: 'brain_namespace_write', arguments: atom('mcp') }
  const mcp = await gateway.inject({ method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  assert.equal(mcp.json().result?.structuredContent?.created, true, mcp.body.slice(0, 500))
})
