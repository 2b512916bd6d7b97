import assert from 'node:assert/strict'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ACME, put, runGit, start } from './support.ts'

/** Creates a repo with one commit, an upstream that it is two ahead of and one behind, and three files that differ. */
async function workedOn(folder: string): Promise<string> {
  const [origin, web, other] = ['origin', 'web', 'other'].map((name) => join(folder, name)) as [string, string, string]
  await mkdir(origin)
  runGit(origin, 'init', '-q', '--bare')
  runGit(folder, 'clone', '-q', origin, web)
  await writeFile(join(web, 'a'), '1')
  commit(web, 'one')
  runGit(web, 'push', '-q', 'origin', 'HEAD')
  runGit(folder, 'clone', '-q', origin, other)
  await writeFile(join(other, 'b'), '1')
  commit(other, 'theirs')
  runGit(other, 'push', '-q', 'origin', 'HEAD')
  runGit(web, 'fetch', '-q')
  for (const name of ['two', 'three']) runGit(web, 'commit', '-qm', name, '--allow-empty')
  await writeFile(join(web, 'a'), '2')
  await writeFile(join(web, 'new'), '')
  await writeFile(join(web, 'staged'), '')
  runGit(web, 'add', 'staged')
  return web
}
function commit(at: string, message: string): void {
  runGit(at, 'add', '-A')
  runGit(at, 'commit', '-qm', message)
}

test('it shows branch, uncommitted count, ahead and behind, and when handoff and state were last written', async () => {
  await using set = await start()
  const web = await workedOn(set.folder)
  const before = await set.gateway.call('repos_status', { repo: web })
  assert.deepEqual(
    [
      before.name,
      before.branch,
      before.uncommitted,
      before.uncommittedIsMore,
      before.ahead,
      before.behind,
      before.lastHandoff,
      before.lastState,
    ],
    ['web', 'main', 3, false, 2, 1, null, null],
  )
  assert.match(before.head, /^[0-9a-f]{40}$/)
  await put(web, '.gateway/STATE.md', '.gateway/HANDOFF.md')
  await utimes(join(web, '.gateway/STATE.md'), 0, new Date('2026-01-02T03:04:05Z'))
  await utimes(join(web, '.gateway/HANDOFF.md'), 0, new Date('2026-01-01T00:00:00Z'))
  const after = await set.gateway.call('repos_status', { repo: web })
  assert.deepEqual([after.lastState, after.lastHandoff], ['2026-01-02T03:04:05.000Z', '2026-01-01T00:00:00.000Z'])
  assert.ok(after.uncommitted > before.uncommitted)
})

test('repo is a name of the list or the roster, or an absolute path; the REST route takes the same', async () => {
  await using set = await start()
  await put(set.folder, 'web/x', 'api/x')
  for (const name of ['web', 'api']) runGit(join(set.folder, name), 'init', '-q')
  await writeFile(set.file, JSON.stringify([{ name: 'web', path: join(set.folder, 'web') }]))
  await set.gateway.call('repos_upsert', { name: 'backend', path: join(set.folder, 'api') })
  for (const repo of ['web', 'backend', join(set.folder, 'api')])
    assert.equal((await set.gateway.call('repos_status', { repo })).isGitRepo, true)
  assert.equal((await set.gateway.inject({ method: 'GET', url: '/api/repos/web/status' })).json().uncommitted, 1)
})

test('what there is not is null: no commit, no upstream, no branch, no git', async () => {
  await using set = await start()
  await put(set.folder, 'web/')
  const web = join(set.folder, 'web')
  await writeFile(set.file, JSON.stringify([{ name: 'web', path: web }]))
  const status = () => set.gateway.call('repos_status', { repo: 'web' })
  assert.deepEqual(await status(), {
    name: 'web',
    path: web,
    isGitRepo: false,
    branch: null,
    head: null,
    uncommitted: 0,
    uncommittedIsMore: false,
    ahead: null,
    behind: null,
    lastHandoff: null,
    lastState: null,
  })
  runGit(web, 'init', '-q')
  assert.deepEqual([(await status()).isGitRepo, (await status()).branch, (await status()).head], [true, 'main', null])
  runGit(web, 'commit', '-qm', 'one', '--allow-empty')
  assert.equal((await status()).ahead, null)
  runGit(web, 'checkout', '-q', '--detach')
  assert.equal((await status()).branch, null)
})

test('what is not there is NOT_FOUND; to other tenants the operator’s repos are unknown, and a folder is refused', async () => {
  await using set = await start()
  await put(set.folder, 'web/.git/', 'plain/')
  const web = join(set.folder, 'web')
  await writeFile(
    set.file,
    JSON.stringify([
      { name: 'web', path: web },
      { name: 'gone', path: join(set.folder, 'gone') },
    ]),
  )
  for (const repo of ['nobody', 'gone', join(set.folder, 'plain'), join(set.folder, 'nowhere')])
    await assert.rejects(set.gateway.call('repos_status', { repo }), { code: 'NOT_FOUND' })
  await set.gateway.call('repos_upsert', { name: 'own', path: web }, ACME)
  for (const repo of ['web', web]) await assert.rejects(set.gateway.call('repos_status', { repo }, ACME), { code: 'NOT_FOUND' })
  await assert.rejects(set.gateway.call('repos_status', { repo: 'own' }, ACME), { code: 'FORBIDDEN', message: /operator’s/ })
})
