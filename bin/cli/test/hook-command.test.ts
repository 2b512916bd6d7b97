import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { spawnProgram, temporaryFolder } from './cli-fixture.ts'

const program = join(import.meta.dirname, '../../../bin/gateway.js')

/** A repo with one commit, named web. */
async function repo(t: TestContext) {
  const home = await realpath(await temporaryFolder(t))
  const folder = join(home, 'web')
  await mkdir(folder)
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, env })
  const commit = async (name: string): Promise<void> => {
    await writeFile(join(folder, name), name)
    await git('add', '.')
    await git('commit', '-qm', `Add ${name}`)
  }
  await git('init', '-q', '-b', 'main')
  await commit('first')
  return { home, folder, commit, git }
}

async function hook(event: string, input: object, env: Record<string, string>) {
  const child = spawnProgram(program, ['hook', event], env)
  child.stdin?.end(JSON.stringify(input))
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout as never), text(child.stderr as never), once(child, 'exit')])
  assert.deepEqual([code, stderr], [0, ''])
  return stdout === '' ? undefined : JSON.parse(stdout)
}

async function setting(t: TestContext, settings: Record<string, string> = {}) {
  const service = await startTestGateway({ plugins: standardPlugins, listen: true, env: settings })
  t.after(() => service.stop())
  const { home, folder, commit, git } = await repo(t)
  const env = { GATEWAY_URL: service.url, HOME: home, TMPDIR: home, GATEWAY_HOOK_TIMEOUT_MS: '60000' }
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const latest = async (): Promise<any> => ((await service.call('handoff_read', { repo: 'web' })) as { latest: unknown }).latest
  return {
    service,
    home,
    env,
    folder,
    commit,
    git,
    latest,
    start: (sessionId: string, cwd = folder) => hook('session-start', { session_id: sessionId, cwd, hook_event_name: 'SessionStart' }, env),
    end: (sessionId: string, cwd = folder) => hook('session-end', { session_id: sessionId, cwd, hook_event_name: 'SessionEnd' }, env),
  }
}

test('a session begins with what context_boot says of its repo, and is told how to hand over as itself', async (t) => {
  const { service, start, folder, git } = await setting(t)
  await service.call('handoff_write', { repo: 'web', content: 'The login page is half done.' })
  const { hookSpecificOutput } = await start('s-1')
  assert.equal(hookSpecificOutput.hookEventName, 'SessionStart')
  assert.match(hookSpecificOutput.additionalContext, /The login page is half done\./)
  assert.match(hookSpecificOutput.additionalContext, /call handoff_write with repo "web" and sessionId "s-1"\.$/)
  // In a linked work tree the repo is the same one.
  await git('worktree', 'add', '-q', '../elsewhere')
  assert.match((await start('s-2', join(folder, '..', 'elsewhere'))).hookSpecificOutput.additionalContext, /with repo "web"/)
})

test('its end hands over the commits it made and the files it left, on top of what an agent handed over before', async (t) => {
  const { service, start, end, commit, folder, latest } = await setting(t)
  await service.call('handoff_write', { repo: 'web', content: 'Mind the cache.', author: 'ada' })
  await start('s-1')
  await commit('second')
  await writeFile(join(folder, 'third'), '')
  await end('s-1')
  const first = await latest()
  assert.equal(first.summary, 'The session ended with 1 new commit and 1 uncommitted file on main.')
  assert.deepEqual([first.sessionId, first.branch, first.author], ['s-1', 'main', 'gateway hook'])
  assert.match(
    first.content,
    /Commits:\n\n {4}[0-9a-f]+ Add second\n\nUncommitted:\n\n {4}\?\? third\n\n## Handed over before\n\nMind the cache\.$/,
  )
  assert.doesNotMatch(first.content, /Add first/)

  // Entries of hooks are not carried on; entries of agents are, in full.
  await start('s-2')
  await end('s-2')
  const second = await latest()
  assert.equal(second.sessionId, 's-2')
  assert.equal(second.content.split('## Handed over before').length, 2)
  assert.match(second.content, /Mind the cache\.$/)
})

test('a session that handed over itself, or left nothing, adds nothing at its end', async (t) => {
  const { service, start, end, commit, folder, latest } = await setting(t)
  await start('s-1')
  await end('s-1')
  assert.equal(await latest(), null)

  await start('s-2')
  await commit('second')
  await service.call('handoff_write', { repo: 'web', content: 'Mine.', sessionId: 's-2' })
  await end('s-2')
  assert.equal((await latest()).content, 'Mine.')

  await end('s-3', join(folder, '..'))
  assert.equal((await latest()).content, 'Mine.')
})

test('a gateway that is not reached is told in one line of what the host shows its user, and ends nothing', async (t) => {
  const { folder, home } = await repo(t)
  const env = { GATEWAY_URL: 'http://127.0.0.1:9', HOME: home, TMPDIR: home }
  const { systemMessage } = await hook('session-start', { session_id: 's-1', cwd: folder }, env)
  assert.match(systemMessage, /^gateway: No gateway answers at http:\/\/127\.0\.0\.1:9 /)
  const child = spawnProgram(program, ['hook', 'session-start'], env, folder)
  child.stdin?.end('no JSON')
  assert.deepEqual((await once(child, 'exit'))[0], 0)
})

const contextOf = (answer: { hookSpecificOutput: { additionalContext: string } }): string => answer.hookSpecificOutput.additionalContext
const REMOTE = 'https://ada:s3cret@Git.example.org/acme/web.git'

test('a repo that is unknown is registered from its clone, with source cli-init, its remote without a password and its folder', async (t) => {
  const { service, start, folder, git } = await setting(t)
  await git('remote', 'add', 'origin', REMOTE)
  const answer = await start('s-1')
  assert.match(contextOf(answer), /^# Context of web\n/)
  assert.doesNotMatch(contextOf(answer), /not registered/)
  assert.equal(answer.systemMessage, undefined)
  const { repos } = await service.call('repos_list')
  const { name, source, path, gitRemote, enabled } = repos[0]
  assert.deepEqual(
    [repos.length, name, source, enabled, path, gitRemote],
    [1, 'web', 'cli-init', true, folder, 'https://Git.example.org/acme/web.git'],
  )
  assert.doesNotMatch(contextOf(await start('s-2')), /not registered/)
  assert.equal((await service.call('repos_list')).count, 1)
})

test('a second clone, a work tree and a renamed folder with the same remote are the same repo, with its handoffs', async (t) => {
  const { service, start, end, home, folder, git, latest } = await setting(t)
  await git('remote', 'add', 'origin', REMOTE)
  await start('s-1')
  await git('clone', '-q', folder, join(home, 'my-fork'))
  await git('-C', join(home, 'my-fork'), 'remote', 'set-url', 'origin', 'git@git.example.org:acme/web.git')
  await git('worktree', 'add', '-q', join(home, 'tree'))
  await service.call('handoff_write', { repo: 'web', content: 'Mind the cache.' })
  for (const at of ['my-fork', 'tree'])
    assert.match(contextOf(await start(at, join(home, at))), /^# Context of web\n[^]*Mind the cache/, at)
  await writeFile(join(home, 'my-fork', 'new'), '')
  await end('my-fork', join(home, 'my-fork'))
  assert.match((await latest()).summary, /1 uncommitted file/)
  await git('worktree', 'remove', '--force', join(home, 'tree'))
  await rename(folder, join(home, 'renamed'))
  assert.match(contextOf(await start('s-4', join(home, 'renamed'))), /^# Context of web\n/)
  const { repos } = await service.call('repos_list')
  assert.deepEqual(
    repos.map((one: { name: string; path: string }) => [one.name, one.path]),
    [['web', join(home, 'renamed')]],
  )
})

test('two repos whose folders have one name and whose remotes differ are two, each with its own handoffs', async (t) => {
  const { service, start, end, home, folder, git, latest } = await setting(t)
  await git('remote', 'add', 'origin', REMOTE)
  await start('s-1')
  const other = join(home, 'elsewhere', 'web')
  await git('clone', '-q', folder, other)
  await git('-C', other, 'remote', 'set-url', 'origin', 'git@git.example.org:other/web.git')
  assert.match(contextOf(await start('s-2', other)), /^# Context of other-web\n[^]*with repo "other-web"/)
  await writeFile(join(other, 'new'), '')
  await end('s-2', other)
  assert.equal(await latest(), null)
  assert.equal((await service.call('handoff_read', { repo: 'other-web' })).latest.sessionId, 's-2')
  // Without its beginning, the end asks for the name of the repo.
  await end('s-3', other)
  assert.equal((await service.call('handoff_read', { repo: 'other-web' })).latest.sessionId, 's-3')
  assert.equal(await latest(), null)
})

test('outside of a repository a hook asks nothing and says nothing; the master repo is not booted', async (t) => {
  const { service, start, end, home } = await setting(t)
  await mkdir(join(home, 'plain'))
  for (const at of [home, join(home, 'plain'), join(home, 'not-there')]) {
    assert.equal(await start('s-1', at), undefined)
    assert.equal(await end('s-1', at), undefined)
  }
  assert.equal((await service.call('continuity_stats', {})).tools?.length ?? 0, 0)
})

test('a hook never fails its host: an event it does not know, input that stays open, a folder that cannot be written, a key that may only read', async (t) => {
  const { service, home, env, folder } = await setting(t, { RBAC_ENFORCE: 'on' })
  const input = { session_id: 's-1', cwd: folder }
  assert.match(
    (await hook('post-tool-use', input, env)).systemMessage,
    /^gateway: The event must be one of session-start, tool-use, turn-end, session-end, status-line, send; got "post-tool-use"/,
  )
  assert.match((await hook('session-start', input, { ...env, GATEWAY_URL: 'no URL' })).systemMessage, /^gateway: GATEWAY_URL must be a URL/)
  assert.match(contextOf(await hook('session-start', input, { ...env, TMPDIR: join(home, 'not-there') })), /^# Context of web/)

  const open = spawnProgram(program, ['hook', 'session-start'], env, folder)
  open.stdin?.write('{"session_id": "s-2"')
  assert.deepEqual(await once(open, 'exit'), [0, null])

  await service.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  const { apiKey } = await service.tenants.issueKey('acme', { role: 'viewer', environment: 'test' })
  const answer = await hook('session-start', input, { ...env, GATEWAY_API_KEY: apiKey })
  assert.match(contextOf(answer), /in tenant `acme`, at work in `web`/)
  assert.match(answer.systemMessage, /^gateway: this repo was not registered\. .*\(FORBIDDEN\)$/)
})
