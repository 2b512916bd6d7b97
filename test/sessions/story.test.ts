import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { fromSources } from '../../scripts/typescript/options.mjs'

const program = join(import.meta.dirname, '../../bin/gateway.js')
const REMOTE = 'git@git.example.org:acme/shop.git'

/** A gateway, a remote repo, and machines with clones of it. */
async function setting(t: TestContext) {
  const service = await startTestGateway({ plugins: standardPlugins, listen: true })
  t.after(() => service.stop())
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gateway-story-')))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const origin = join(folder, 'origin')
  await mkdir(origin)
  const git = (cwd: string, ...args: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    })
  await git(origin, 'init', '-q', '-b', 'main')
  await writeFile(join(origin, 'README.md'), 'Shop')
  await git(origin, 'add', '.')
  await git(origin, 'commit', '-qm', 'Begin')

  /** A machine of its own: a home folder with a clone that has any name. */
  async function machine(name: string, clone: string) {
    const home = join(folder, name)
    const root = join(home, clone)
    await mkdir(home)
    await git(home, 'clone', '-q', origin, root)
    await git(root, 'remote', 'set-url', 'origin', REMOTE)
    const env = { PATH: process.env.PATH ?? '', GATEWAY_URL: service.url, HOME: home, TMPDIR: home, CLAUDECODE: '1', GATEWAY_HOOK_TIMEOUT_MS: '60000' }
    const hook = async (event: string, input: object = {}, more: Record<string, string> = {}) => {
      const child = spawn(process.execPath, [...fromSources, program, 'hook', event], { cwd: root, env: { ...env, ...more } })
      child.stdin.end(JSON.stringify({ cwd: root, ...input }))
      const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      assert.deepEqual([code, err], [0, ''])
      return out === '' ? undefined : JSON.parse(out)
    }
    return {
      root,
      env,
      hook,
      async start(id: string): Promise<string> {
        const { hookSpecificOutput, systemMessage } = await hook('session-start', { session_id: id })
        assert.equal(systemMessage, undefined)
        return hookSpecificOutput.additionalContext
      },
      use: (id: string, tool: string, input: object, response: object = {}) =>
        hook('tool-use', { session_id: id, tool_name: tool, tool_input: input, tool_response: response }),
      end: (id: string) => hook('session-end', { session_id: id }),
      async commit(name: string, message: string) {
        await writeFile(join(root, name), name)
        await git(root, 'add', '.')
        await git(root, 'commit', '-qm', message)
      },
    }
  }
  const decide = (id: string, content: string) =>
    service.call('brain_commit', { kind: 'session', repo: 'shop-a', slug: `note-${id}`, content, branch: `session/${id}` })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const get = async (path: string): Promise<any> => (await service.inject({ method: 'GET', url: path })).json()
  return { service, machine, decide, get }
}

test('a session on another machine boots with what the last one decided, did and left; one beside it sees nothing unmerged', async (t) => {
  const { machine, decide, get, service } = await setting(t)
  const one = await machine('one', 'shop-a')
  assert.match(await one.start('a'), /by brain_commit with repo "shop-a" and branch "session\/a"/)
  await one.use('a', 'Bash', { command: 'npm test' }, { exit_code: 1 })
  await one.use('a', 'Edit', { file_path: join(one.root, 'src/cart.ts') })
  await decide('a', '# Prices are integers\n\nDecision: cents, because floats lose a cent in the sum.')
  await one.commit('cart.ts', 'Count prices in cents')
  await writeFile(join(one.root, 'todo.txt'), 'left')
  assert.equal(await one.end('a'), undefined)

  const two = await machine('two', 'another-name')
  const context = await two.start('b')
  assert.match(context, /^# Context of shop-a\n/)
  assert.match(context, /because floats lose a cent/)
  assert.match(context, /Count prices in cents/)
  assert.match(context, /todo\.txt/)

  await decide('b', '# Orders are events\n\nDecision: only in the head of B.')
  const three = await machine('three', 'third')
  const beside = await three.start('c')
  assert.doesNotMatch(beside, /in the head of B/)
  assert.match(beside, /branch `session\/b`: claude-code on [^\n]*; 1 atom not merged/)
  const found = await service.call('brain_search', { query: 'orders events head', repo: 'shop-a' })
  assert.doesNotMatch(JSON.stringify(found.hits), /in the head of B/)
  await two.end('b')
  assert.match(await three.start('d'), /in the head of B/)

  const { sessions } = await get('/api/sessions')
  const a = sessions.find((session: { sessionId: string }) => session.sessionId === 'a')
  assert.deepEqual([a.host, a.repo, a.status, a.ending], ['claude-code', 'shop-a', 'closed', 'ended'])
  const { activity } = await get('/api/sessions/a/activity')
  const kinds = new Set(activity.map(({ kind }: { kind: string }) => kind))
  for (const kind of ['begun', 'step', 'atom', 'handoff', 'ended']) assert.ok(kinds.has(kind), kind)
  const { observations } = await service.call('brain_explore', { sections: ['observations'] })
  const [edit, bash] = observations
  assert.deepEqual([edit.tool, edit.files, edit.session], ['Edit', ['src/cart.ts'], 'a'])
  assert.deepEqual([bash.tool, bash.target, bash.exit], ['Bash', 'npm test', 'error'])
})

test('the work of a session whose host was killed is merged when the next one begins on its machine', async (t) => {
  const { machine, decide, get } = await setting(t)
  const one = await machine('one', 'shop-a')
  // A host: it runs its hooks, then waits.
  const script = `
    const { spawnSync } = require('node:child_process')
    const hook = (event, more) => spawnSync(process.execPath, [...${JSON.stringify(fromSources)}, ${JSON.stringify(program)}, 'hook', event],
      { input: JSON.stringify({ session_id: 'a', cwd: process.cwd(), ...more }) })
    hook('session-start', {})
    hook('tool-use', { tool_name: 'Bash', tool_input: { command: 'make release' }, tool_response: {} })
    process.stdout.write('ready')
    setInterval(() => {}, 1000)`
  const host = spawn(process.execPath, ['-e', script], { cwd: one.root, env: one.env })
  await once(host.stdout, 'data')
  await decide('a', '# Releases go out on Monday\n\nDecision: because nobody is here on Friday.')
  await one.commit('release.txt', 'Add a release script')
  host.kill('SIGKILL')
  await once(host, 'exit')
  const two = await machine('two', 'elsewhere')
  const context = await two.start('b')
  assert.match(context, /because nobody is here on Friday/)
  const { sessions } = await get('/api/sessions')
  assert.equal(sessions.find((session: { sessionId: string }) => session.sessionId === 'a').ending, 'crashed')
  // On the machine itself the steps and the commits are on disk, and follow.
  await one.hook('send')
  for (let n = 0; n < 100; n++) {
    const { activity } = await get('/api/sessions/a/activity')
    if (JSON.stringify(activity).includes('make release')) return
    await pause(100)
  }
  assert.fail('the step of the killed session did not arrive')
})

test('a session that went silent on another machine is ended by the next one in its repo; a step brings it back', async (t) => {
  const { service, machine, decide, get } = await setting(t)
  const begin = (sessionId: string, more: object = {}) =>
    service.inject({
      method: 'POST',
      url: '/api/sessions/begin',
      body: { sessionId, host: 'claude-code', repo: 'shop-a', remote: REMOTE, ...more },
    })
  assert.equal((await begin('a', { machine: 'far', process: '1 2 pid:[3]' })).json().branch, 'session/a')
  await decide('a', '# Far away\n\nDecision: because the sun shines there.')
  const one = await machine('one', 'shop-a')
  assert.doesNotMatch(await one.start('b'), /the sun shines/)
  service.clock.advance(61 * 60_000)
  assert.match(await one.start('c'), /the sun shines/)
  assert.equal((await get('/api/sessions/a')).ending, 'silent')
  const step = { stepId: 's1', at: '2026-01-01T00:00:00.000Z', tool: 'Bash' }
  for (let n = 0; n < 2; n++)
    await service.inject({ method: 'POST', url: '/api/sessions/a/steps', body: { steps: [step] } })
  assert.equal((await get('/api/sessions/a')).status, 'active')
  const { observations } = await service.call('brain_explore', { sections: ['observations'] })
  assert.equal(observations.filter(({ session }: { session?: string }) => session === 'a').length, 1, 'a step that is sent twice is kept once')
})

test('while the gateway is not reached a session goes on, and all of it is sent afterwards', async (t) => {
  const { machine, get } = await setting(t)
  const one = await machine('one', 'shop-a')
  const away = { GATEWAY_URL: 'http://127.0.0.1:9' }
  assert.match((await one.hook('session-start', { session_id: 'a' }, away)).systemMessage, /No gateway answers/)
  const step = { session_id: 'a', tool_name: 'Bash', tool_input: { command: 'make all' }, tool_response: {} }
  assert.equal(await one.hook('tool-use', step, away), undefined)
  await one.commit('new.txt', 'Work without a gateway')
  const ended = await one.hook('session-end', { session_id: 'a' }, away)
  // A sender that runs beside it may hold the end back.
  assert.match(ended?.systemMessage ?? 'No gateway answers', /No gateway answers/)
  await one.hook('send')
  for (let n = 0; n < 100 && (await get('/api/sessions/a')).status !== 'closed'; n++) await pause(100)
  const { session, activity } = await get('/api/sessions/a/activity')
  assert.equal(session.status, 'closed')
  assert.match(JSON.stringify(activity), /make all/)
  assert.match(await one.start('b'), /Work without a gateway/)
})
