import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
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
  const home = await temporaryFolder(t)
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

async function setting(t: TestContext) {
  const service = await startTestGateway({ plugins: standardPlugins, listen: true })
  t.after(() => service.stop())
  const { home, folder, commit, git } = await repo(t)
  const env = { GATEWAY_URL: service.url, HOME: home, TMPDIR: home }
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const latest = async (): Promise<any> => ((await service.call('handoff_read', { repo: 'web' })) as { latest: unknown }).latest
  return {
    service,
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

  // Of what hooks wrote nothing is carried on, of what agents wrote all.
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
