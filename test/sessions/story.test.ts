import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { program, setting } from './setting.ts'

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
    const hook = (event, more) => spawnSync(process.execPath, [${JSON.stringify(program)}, 'hook', event],
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
