import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { acme, atomPath, clientGit, commit, commitFile, folder, remote, start, type TestGateway } from './support.ts'

let gateway: TestGateway
let clone: string
let token: string

before(async () => {
  gateway = await start()
  await commit(gateway, 'first')
  ;({ token } = await gateway.call('brain_host_provision', {}, acme))
  clone = await folder()
})
after(async () => {
  await gateway.stop()
  await rm(clone, { recursive: true, force: true })
})

const atoms = async (): Promise<string[]> => (await clientGit(clone, 'ls-files')).split('\n').filter((path) => path.startsWith('repos/'))
const put = (path: string, text = '# Pushed\n'): Promise<void> => commitFile(clone, path, text)
const reset = () => clientGit(clone, 'reset', '-q', '--hard', 'origin/main')
const NEW = atomPath('pushed', '# Pushed\n')

test('git clones the brain with the token', async () => {
  await clientGit(clone, 'clone', '-q', remote(gateway, token), '.')
  assert.equal((await atoms()).length, 1)
  assert.match((await atoms())[0] ?? '', /-first-/)
})

test('git fetches what was committed since, by each version of the protocol', async () => {
  for (const version of ['0', '1', '2']) {
    await commit(gateway, `later-${version}`)
    await clientGit(clone, '-c', `protocol.version=${version}`, 'pull', '-q', '--ff-only')
    assert.ok((await atoms()).some((path) => path.includes(`-later-${version}-`)))
  }
})

test('git pushes new atoms to main and to idea and session branches, and the brain knows them at once', async () => {
  await put(NEW)
  await clientGit(clone, 'push', '-q', 'origin', 'HEAD:main', 'HEAD:session/mine', 'HEAD:idea/mine')
  const { commits } = await gateway.call('brain_log', {}, acme)
  assert.equal(commits[0].sha, await clientGit(clone, 'rev-parse', 'HEAD'))
  const { hits: results } = await gateway.call('brain_search', { query: 'Pushed' }, acme)
  assert.ok(results.length > 0)
  await clientGit(clone, 'push', '-q', 'origin', ':session/mine')
})

test('a push that drops or rewrites an atom is refused on the screen, and no ref moves', async () => {
  await clientGit(clone, 'fetch', '-q')
  const before = await clientGit(clone, 'rev-parse', 'origin/main')
  await clientGit(clone, 'rm', '-q', NEW)
  await clientGit(clone, 'commit', '-qm', 'drop')
  await assert.rejects(clientGit(clone, 'push', 'origin', 'HEAD:main'), /remote: Atoms are never rewritten, and .*-pushed-.* is dropped/)
  await reset()
  await put(NEW, 'other')
  await assert.rejects(clientGit(clone, 'push', 'origin', 'HEAD:idea/mine'), /remote: Atoms are never rewritten/)
  await clientGit(clone, 'fetch', '-q')
  assert.equal(await clientGit(clone, 'rev-parse', 'origin/main'), before)
  await reset()
})

test('a push of what has no place, to refs that are not open, or that rewinds main is refused on the screen', async () => {
  await put('src/code.ts')
  await assert.rejects(clientGit(clone, 'push', 'origin', 'HEAD:main'), /remote: src\/code\.ts has no place/)
  await reset()
  for (const ref of ['refs/heads/feature', 'refs/tags/v1', 'refs/anchors/web'])
    await assert.rejects(clientGit(clone, 'push', 'origin', `HEAD:${ref}`), /not open to pushes/)
  await assert.rejects(clientGit(clone, 'push', '-f', 'origin', 'HEAD~1:main'), /remote: main is not a descendant/)
  await assert.rejects(clientGit(clone, 'push', 'origin', ':main'), /main cannot be deleted|deletion of the current branch/)
})

test('a branch with atoms that main has not is not deleted by a push, and no ref moves', async () => {
  await put(atomPath('kept', '# Pushed\n'))
  await clientGit(clone, 'push', '-q', 'origin', 'HEAD:idea/kept')
  await assert.rejects(clientGit(clone, 'push', 'origin', ':idea/kept'), /remote: Atoms are never dropped, and main has not .*-kept-/)
  assert.match(await clientGit(clone, 'ls-remote', 'origin'), /refs\/heads\/idea\/kept/)
  await reset()
})

test('the remote of a suspended tenant opens nothing', async () => {
  await gateway.tenants.create({ name: 'Gone', plan: 'team', tenantId: 'gone' })
  const { token: theirs } = await gateway.call('brain_host_provision', {}, { as: { ...acme.as, tenantId: 'gone' } })
  await clientGit(clone, 'ls-remote', remote(gateway, theirs, 'gone'))
  await gateway.tenants.suspend('gone')
  await assert.rejects(clientGit(clone, 'ls-remote', remote(gateway, theirs, 'gone')), /Authentication failed/)
})

test('the token of another tenant, none and a wrong one open nothing; an API caller’s trust is none here', async () => {
  const { token: other } = await gateway.call('brain_host_provision', {}, { as: { ...acme.as, tenantId: 'globex' } })
  for (const url of [
    remote(gateway, other),
    remote(gateway, 'gwb_wrong'),
    remote(gateway, token, 'globex'),
    remote(gateway, token, 'nobody'),
  ])
    await assert.rejects(clientGit(clone, 'ls-remote', url), /Authentication failed|could not read/)
  await assert.rejects(clientGit(clone, 'ls-remote', `${gateway.url}/git/acme/brain.git`), /could not read Username|terminal prompts/)
})

test('a path that climbs, a service that is none and a body that is none are refused by name', async () => {
  const authorization = `Bearer ${token}`
  const ask = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, { ...init, headers: { authorization } })
  assert.equal((await ask('/git/acme/brain.git/info/refs?service=git-shell')).status, 400)
  assert.equal((await ask('/git/acme/brain.git/info/refs')).status, 400)
  assert.equal((await ask('/git/..%2Facme/brain.git/info/refs?service=git-upload-pack')).status, 401)
  const nonsense = await ask('/git/acme/brain.git/git-upload-pack', { method: 'POST', body: 'nonsense' })
  await nonsense.text().catch(() => '')
  assert.equal((await ask('/git/acme/brain.git/info/refs?service=git-upload-pack')).status, 200)
})

test('after a rotation the old token is refused at once, and the new one is taken', async () => {
  const { token: next } = await gateway.call('brain_host_rotate', {}, acme)
  await assert.rejects(clientGit(clone, 'ls-remote', remote(gateway, token)), /Authentication failed/)
  assert.match(await clientGit(clone, 'ls-remote', remote(gateway, next)), /refs\/heads\/main/)
  token = next
})

test('each transfer stands in the audit trail, and the repository is whole', async () => {
  const tools = (await gateway.audit('acme')).map(({ tool }) => tool)
  assert.ok(tools.includes('brain-hosting.push'))
  assert.equal(await clientGit(`${gateway.dataDir}/brains/acme.git`, 'fsck', '--strict').catch(String), '')
})
