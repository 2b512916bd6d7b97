import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CodeHostingListener, codeHosting } from '@gateway/plugin-webhooks/api'
import { atomically, closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { isOfRepo, mentionedTasks } from '../src/rules/mentioned.ts'
import { create, get, start } from './support.ts'

type PullRequest = Parameters<NonNullable<CodeHostingListener['pullRequest']>>[0]

/** Plays the family that receives webhooks. */
const host = definePlugin({
  id: 'host',
  sdk: '^1.0.0',
  description: 'Tells of a pull request.',
  tools: [
    defineTool({
      name: 'host_tell',
      description: 'Tell of a pull request. Returns what changed.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ told: Type.Object({}, { additionalProperties: true }) }, closed),
      output: Type.Object({ changed: Type.Array(Type.String()) }),
      uses: { listeners: codeHosting, atomically },
      async handle({ told }, { listeners, atomically }) {
        const changed = await atomically(async (tx) => {
          const all: string[] = []
          for (const { pullRequest } of listeners) all.push(...((await pullRequest?.(told as unknown as PullRequest, tx)) ?? []))
          return all
        })
        return { changed }
      },
    }),
  ],
})

const url = 'https://code.example/acme/web/pull/7'
const pullRequest = (more: object = {}) => ({
  told: {
    repo: { name: 'web', fullName: 'acme/web' },
    number: 7,
    url,
    state: 'open',
    branch: 'main',
    title: '',
    text: '',
    receivedAt: '',
    ...more,
  },
})

test('a pull request that names a task of its repo becomes the task’s prUrl, whether in branch, title or text', async () => {
  await using gateway = await start({ plugins: [host] })
  for (const field of ['branch', 'title', 'text']) {
    const task = await create(gateway)
    const told = pullRequest({ [field]: `fix/${task.taskId}: at last` })
    assert.deepEqual(await gateway.call('host_tell', told), { changed: [task.taskId] })
    assert.equal((await get(gateway, task)).prUrl, url)
    assert.deepEqual(await gateway.call('host_tell', told), { changed: [] }, 'a second time it changes nothing')
  }
})

test('a pull request of another repo, or with an id of no task, changes nothing', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await create(gateway)
  const elsewhere = pullRequest({ repo: { name: 'api', fullName: 'acme/api' }, branch: task.taskId })
  assert.deepEqual(await gateway.call('host_tell', elsewhere), { changed: [] })
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ branch: `task-${'0'.repeat(22)}` })), { changed: [] })
  assert.equal((await get(gateway, task)).prUrl, undefined)
})

test('ids are found in any case, each once, and at most twenty', () => {
  const id = (n: number) => `task-${String(n).padStart(22, '0')}`
  assert.deepEqual(mentionedTasks(`${id(1)} ${id(1).toUpperCase()}, (${id(2)})`, `x${id(3)} ${id(4)}0`), [id(1), id(2)])
  assert.equal(mentionedTasks(Array.from({ length: 50 }, (_, n) => id(n)).join(' ')).length, 20)
})

test('a repo is known by its name, its full name and its folder', () => {
  const repo = { name: 'Web', fullName: 'Acme/Web' }
  for (const same of ['web', 'acme/web', '/srv/repos/web', '/srv/repos/web/']) assert.equal(isOfRepo(same, repo), true, same)
  for (const other of ['api', 'web2', 'web/api', '']) assert.equal(isOfRepo(other, repo), false, other)
})
