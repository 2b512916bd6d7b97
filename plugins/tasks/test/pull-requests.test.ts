import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CodeHostingListener, codeHosting } from '@gateway/plugin-webhooks/api'
import { atomically, closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { isOfRepo, mentionedTasks } from '../src/rules/mentioned.ts'
import { claim, create, get, start, update, working } from './support.ts'

type PullRequest = Parameters<NonNullable<CodeHostingListener['pullRequest']>>[0]
type Review = Parameters<NonNullable<CodeHostingListener['reviewed']>>[0]

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
          for (const { pullRequest, reviewed } of listeners) {
            const news =
              'changesRequested' in told ? reviewed?.(told as unknown as Review, tx) : pullRequest?.(told as unknown as PullRequest, tx)
            all.push(...((await news) ?? []))
          }
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
    isInside: true,
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

test('a merged pull request makes the task done that is in review or working, and no other', async () => {
  await using gateway = await start({ plugins: [host] })
  for (const [status, expected] of [
    ['review', 'done'],
    ['working', 'done'],
    ['pending', 'pending'],
    ['blocked', 'blocked'],
    ['paused', 'paused'],
  ]) {
    const mine = `https://code.example/acme/web/pull/${status}`
    const task = await update(gateway, await create(gateway), { prUrl: mine, status })
    const { changed } = await gateway.call('host_tell', pullRequest({ url: mine, state: 'merged' }))
    const after = await get(gateway, task)
    assert.deepEqual([after.status, changed], [expected, status === expected ? [] : [task.taskId]], status)
    if (expected === 'done') assert.ok(after.completedAt)
  }
})

test('a merged pull request that names a task for the first time ends it too', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await update(gateway, await create(gateway), { status: 'review' })
  await gateway.call('host_tell', pullRequest({ branch: `fix/${task.taskId}`, state: 'merged' }))
  const { status, prUrl } = await get(gateway, task)
  assert.deepEqual([status, prUrl], ['done', url])
})

test('a pull request closed without a merge makes its task pending, with a note, and free for another claimer', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await working(gateway)
  await update(gateway, task, { prUrl: url, notes: 'Began.' })
  await gateway.call('host_tell', pullRequest({ state: 'closed' }))
  const after = await get(gateway, task)
  assert.deepEqual(
    [after.status, after.claimedBy, after.notes],
    ['pending', undefined, `Began.\nThe pull request ${url} was closed without a merge.`],
  )
  assert.equal((await claim(gateway, { claimedBy: 'eve' }))?.taskId, task.taskId)
})

test('the report of a worker that comes after the merge leaves its task done', async () => {
  await using gateway = await start({ plugins: [host] })
  const { claimId, ...task } = await working(gateway)
  await update(gateway, task, { prUrl: url, claimId })
  await gateway.call('host_tell', pullRequest({ state: 'merged' }))
  await assert.rejects(update(gateway, task, { status: 'review', claimId }), refusal('CONFLICT', 'claimId', /it is done/))
  assert.equal((await get(gateway, task)).status, 'done')
})

test('the end of an older pull request that names a task leaves it with its newer one', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await update(gateway, await create(gateway), { status: 'review', prUrl: `${url}8` })
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ text: task.taskId, state: 'closed' })), { changed: [] })
  const { status, prUrl } = await get(gateway, task)
  assert.deepEqual([status, prUrl], ['review', `${url}8`])
})

test('a pull request from outside the repo is heard only if it is the prUrl of a task', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await create(gateway)
  const stranger = { isInside: false, branch: `task/${task.taskId}`, title: task.taskId, text: task.taskId }
  for (const state of ['open', 'closed', 'merged'])
    assert.deepEqual(await gateway.call('host_tell', pullRequest({ ...stranger, state })), { changed: [] })
  assert.equal((await get(gateway, task)).prUrl, undefined)
  await update(gateway, task, { status: 'review', prUrl: url })
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ isInside: false, state: 'merged' })), { changed: [task.taskId] })
})

test('a pull request that mentions a task leaves it with the one it has; that of its own branch replaces it', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await update(gateway, await create(gateway), { status: 'review', prUrl: url })
  const branch = `task/${task.taskId}`
  const [other, own] = [
    { url: `${url}1`, branch: `docs/${task.taskId}`, title: task.taskId },
    { url: `${url}2`, branch },
  ]
  for (const state of ['open', 'closed', 'merged'])
    assert.deepEqual(await gateway.call('host_tell', pullRequest({ ...other, state })), { changed: [] }, state)
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ ...own, state: 'closed' })), { changed: [] }, 'an older one of its branch')
  assert.deepEqual(await gateway.call('host_tell', pullRequest(own)), { changed: [task.taskId] })
  assert.equal((await get(gateway, task)).prUrl, own.url)
  await update(gateway, task, { prUrl: other.url })
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ ...own, state: 'merged' })), { changed: [task.taskId] })
  const { status, prUrl } = await get(gateway, task)
  assert.deepEqual([status, prUrl], ['done', own.url])
})

test('after a pull request was closed without a merge, the next one that names the task takes its place', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await update(gateway, await create(gateway), { status: 'review', prUrl: url })
  const branch = `fix/${task.taskId}`
  await gateway.call('host_tell', pullRequest({ branch, state: 'closed' }))
  assert.equal((await get(gateway, task)).status, 'pending')
  const second = { url: `${url}1`, branch }
  assert.deepEqual(await gateway.call('host_tell', pullRequest(second)), { changed: [task.taskId] })
  await update(gateway, task, { status: 'review' })
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ ...second, state: 'merged' })), { changed: [task.taskId] })
  const { status, prUrl } = await get(gateway, task)
  assert.deepEqual([status, prUrl], ['done', second.url])
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ url: `${url}2`, branch })), { changed: [] }, 'an ended task keeps its own')
})

test('a review of another pull request than its own does not send a task back', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await update(gateway, await create(gateway), { status: 'review', prUrl: url })
  const review = { repo: { name: 'web', fullName: 'acme/web' }, pullRequest: `${url}1`, changesRequested: true, receivedAt: '' }
  const tell = (branch: string) => gateway.call('host_tell', { told: { ...review, branch } })
  assert.deepEqual(await tell(`docs/${task.taskId}`), { changed: [] })
  assert.deepEqual(await tell(`task/${task.taskId}`), { changed: [task.taskId] })
})

test('with tasks.mergeCompletes off, merged and closed pull requests move no task', async () => {
  await using gateway = await start({ plugins: [host], config: { tasks: { mergeCompletes: false } } })
  const task = await update(gateway, await create(gateway), { status: 'review', prUrl: url })
  for (const state of ['merged', 'closed']) assert.deepEqual(await gateway.call('host_tell', pullRequest({ state })), { changed: [] })
  assert.equal((await get(gateway, task)).status, 'review')
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
