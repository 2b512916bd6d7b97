import assert from 'node:assert/strict'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { attentionOf } from '../src/rules/attention.ts'
import { ACME, put, start, whole } from './support.ts'

const names = (answer: { repos: { name: string }[] }) => answer.repos.map(({ name }) => name)

test('repos are ranked by the attention they need, the neediest first: missing framework, stale handoff, open tasks', async () => {
  await using set = await start()
  await put(set.folder, 'bare/.git/', ...['fine', 'stale', 'busy'].flatMap((name) => whole.map((path) => `${name}/${path}`)))
  const list = ['fine', 'busy', 'stale', 'bare'].map((name) => ({ name, path: join(set.folder, name) }))
  await writeFile(set.file, JSON.stringify(list))
  const now = set.gateway.clock.now()
  for (const { name, path } of list.slice(0, 3))
    await utimes(join(path, '.gateway/HANDOFF.md'), 0, new Date(now - (name === 'stale' ? 20 : 1) * 86_400_000))
  for (let n = 0; n < 3; n++) await set.gateway.call('tasks_create', { repo: 'busy', title: `task ${n}` })
  const answer = await set.gateway.call('repos_priority')
  assert.deepEqual(names(answer), ['bare', 'stale', 'busy', 'fine'])
  assert.deepEqual([answer.count, answer.truncated], [4, false])
  const [bare, stale, busy, fine] = answer.repos
  assert.deepEqual([bare.hasFramework, bare.lastHandoff, bare.reasons], [false, null, ['it has no framework folder', 'it has no handoff']])
  assert.deepEqual(stale.reasons, ['its handoff is 20 days old'])
  assert.deepEqual([busy.openTasks, busy.reasons], [3, ['3 open tasks']])
  assert.deepEqual([fine.attention, fine.reasons], [0, []])
  assert.deepEqual((await set.gateway.inject({ method: 'GET', url: '/api/repos/priority' })).json(), answer)
})

test('done tasks are not open, and blocked ones weigh more', async () => {
  await using set = await start()
  for (const name of ['a', 'b', 'c']) {
    await set.gateway.call('repos_upsert', { name })
    const { task } = await set.gateway.call('tasks_create', { repo: name, title: 'one' })
    if (name === 'a') await set.gateway.call('tasks_update', { taskId: task.taskId, status: 'done' })
    if (name === 'c') await set.gateway.call('tasks_update', { taskId: task.taskId, status: 'blocked' })
  }
  const answer = await set.gateway.call('repos_priority')
  assert.deepEqual(names(answer), ['c', 'b', 'a'])
  assert.deepEqual(
    answer.repos.map((one: { openTasks: number }) => one.openTasks),
    [1, 1, 0],
  )
})

test('a repo that is switched off is left out; another tenant ranks its own, by what is in the store', async () => {
  await using set = await start()
  await set.gateway.call('repos_upsert', { name: 'off', enabled: false })
  await set.gateway.call('repos_upsert', { name: 'on', path: set.folder })
  await set.gateway.call('repos_upsert', { name: 'theirs', path: set.folder }, ACME)
  assert.deepEqual(names(await set.gateway.call('repos_priority')), ['on'])
  const [theirs, ...more] = (await set.gateway.call('repos_priority', {}, ACME)).repos
  assert.deepEqual([theirs.name, theirs.hasFramework, more], ['theirs', undefined, []])
})

test('attention never falls when there is more to do', () => {
  const now = new Date('2026-01-31T00:00:00Z')
  const facts = fc.record({
    openTasks: fc.nat(100),
    stuckTasks: fc.nat(100),
    lastHandoff: fc.constantFrom('2026-01-30T00:00:00Z', '2026-01-01T00:00:00Z'),
  })
  fc.assert(
    fc.property(facts, (some) => {
      const { attention } = attentionOf(some, now, 7)
      assert.ok(attentionOf({ ...some, openTasks: some.openTasks + 1 }, now, 7).attention >= attention)
      assert.ok(attentionOf({ ...some, exists: true, hasFramework: false }, now, 7).attention > attention)
    }),
  )
})
