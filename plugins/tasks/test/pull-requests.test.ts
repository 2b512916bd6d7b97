import assert from 'node:assert/strict'
import { test } from 'node:test'
import trash from '@gateway/plugin-trash'
import { type CodeHostingListener, codeHosting } from '@gateway/plugin-webhooks/api'
import { atomically, closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { refusal, startTestGateway } from '@gateway/testing'
import { tasks as stored } from '../src/collections.ts'
import family from '../src/index.ts'
import { isOfRepo, mentionedTasks } from '../src/rules/mentioned.ts'
import { pullRequestKey } from '../src/rules/pull-request-key.ts'
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
  for (const [n, state] of ['open', 'closed', 'merged'].entries())
    assert.deepEqual(await gateway.call('host_tell', pullRequest({ ...stranger, state, url: `${url}${n}` })), { changed: [] })
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
  const renamed = { name: 'site', otherNames: ['Web'], fullName: 'acme/web' }
  for (const same of ['site', '/srv/site', 'web', 'acme/web']) assert.equal(isOfRepo(same, renamed), true, same)
  assert.equal(isOfRepo('web', { name: 'acme-web', fullName: 'acme/web' }), false, 'a name that another repo has')
})

test('a merge ends the tasks that name its pull request in another spelling', async () => {
  await using gateway = await start({ plugins: [host] })
  const spellings = [
    `${url}/files`,
    `${url}/commits/`,
    `${url}#issuecomment-1`,
    `${url}?x=1`,
    ` ${url} `,
    'http://Code.Example/Acme/web/pull/7',
  ]
  const tasks = await Promise.all(spellings.map(async (prUrl) => update(gateway, await create(gateway), { status: 'review', prUrl })))
  const other = await update(gateway, await create(gateway), { status: 'review', prUrl: `${url}1/files` })
  const { changed } = await gateway.call('host_tell', pullRequest({ state: 'merged' }))
  assert.deepEqual(changed.sort(), tasks.map(({ taskId }) => taskId).sort())
  for (const task of tasks) {
    const { status, prUrl } = await get(gateway, task)
    assert.deepEqual([status, prUrl], ['done', task.prUrl])
  }
  assert.equal((await get(gateway, other)).status, 'review')
})

test('the key of a pull request is the same for every page of it, at each kind of host', () => {
  for (const [page, key] of [
    ['https://github.com/Acme/Web/pull/7/files?w=1#diff-1', 'github.com/acme/web/pull/7'],
    ['https://gitlab.com/acme/deep/web/-/merge_requests/7/diffs', 'gitlab.com/acme/deep/web/-/merge_requests/7'],
    ['https://gitlab.com/acme/web/merge_requests/7', 'gitlab.com/acme/web/-/merge_requests/7'],
    ['https://bitbucket.org/acme/web/pull-requests/7/overview', 'bitbucket.org/acme/web/pull-requests/7'],
    ['https://gitea.example:443/acme/web/pulls/7/', 'gitea.example/acme/web/pulls/7'],
    ['https://gitea.example:3000/acme/pull/pulls/7', 'gitea.example:3000/acme/pull/pulls/7'],
    ['https://code.example/acme/web/pull/next/', 'code.example/acme/web/pull/next'],
    [' ', ''],
  ] as const)
    assert.equal(pullRequestKey(page), key)
})

test('open tasks are found behind any number of tasks of the same pull request that are done', async () => {
  await using gateway = await start({ plugins: [host] })
  for (let n = 0; n < 101; n++) await update(gateway, await create(gateway), { status: 'done', prUrl: url })
  const task = await update(gateway, await create(gateway), { status: 'review', prUrl: url })
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ state: 'merged' })), { changed: [task.taskId] })
})

test('a task that names its pull request after the merge is done, and a repetition of the report leaves it so', async () => {
  await using gateway = await start({ plugins: [host] })
  const { claimId, ...task } = await working(gateway)
  gateway.clock.advance(60)
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ state: 'merged' })), { changed: [] })
  const report = { status: 'review', prUrl: `${url}/files`, claimId }
  assert.equal((await update(gateway, task, report)).status, 'done')
  assert.equal((await update(gateway, task, report)).status, 'done')
})

test('a task that was paused at the merge is done by the report of its worker', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await working(gateway)
  await update(gateway, task, { prUrl: url })
  await update(gateway, task, { status: 'paused' })
  gateway.clock.advance(60)
  await gateway.call('host_tell', pullRequest({ state: 'merged' }))
  assert.equal((await update(gateway, task, { status: 'review' })).status, 'done')
})

test('a task that names a pull request closed before goes back to the queue with the note; one that is open again does not', async () => {
  await using gateway = await start({ plugins: [host] })
  await gateway.call('host_tell', pullRequest({ state: 'closed' }))
  const sent = await update(gateway, await create(gateway), { status: 'review', prUrl: url })
  assert.deepEqual([sent.status, sent.notes], ['pending', `The pull request ${url} was closed without a merge.`])
  assert.equal((await update(gateway, sent, { status: 'review' })).status, 'review', 'the end is told once')
  await gateway.call('host_tell', pullRequest({ state: 'open' }))
  assert.equal((await update(gateway, await create(gateway), { status: 'review', prUrl: url })).status, 'review')
})

test('work that begins after the merge is reviewed like any other, and a person may put a done task into review', async () => {
  await using gateway = await start({ plugins: [host] })
  const task = await update(gateway, await create(gateway), { status: 'review', prUrl: url })
  await gateway.call('host_tell', pullRequest({ state: 'merged' }))
  assert.equal((await update(gateway, task, { status: 'review' })).status, 'review')
  await update(gateway, task, { status: 'pending' })
  gateway.clock.advance(60)
  const again = await claim(gateway, { taskId: task.taskId })
  assert.equal((await update(gateway, task, { status: 'review', claimId: again?.claimId })).status, 'review')
})

test('the end of a pull request is kept for a month, and not at all with tasks.mergeCompletes off', async () => {
  for (const [config, seconds, expected] of [
    [{}, 20 * 86_400, 'done'],
    [{ tasks: { mergeCompletes: false } }, 60, 'review'],
  ] as const) {
    await using gateway = await start({ plugins: [host], config })
    await gateway.call('host_tell', pullRequest({ state: 'merged' }))
    gateway.clock.advance(seconds)
    assert.equal((await update(gateway, await create(gateway), { status: 'review', prUrl: url })).status, expected)
  }
})

test('a task of an earlier version gets the key of its pull request, once', async () => {
  const forgetKeys = defineTool({
    name: 'test_forget_keys',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    uses: { tasks: stored },
    handle: async (_args, { tasks }) => ({ forgotten: await tasks.updateMany({ prUrl: { exists: true } }, { unset: ['prKey'] }) }),
  })
  await using gateway = await startTestGateway({ plugins: [trash, { ...family, tools: [...family.tools, forgetKeys] }, host] })
  const tasks = []
  for (let n = 0; n < 201; n++) tasks.push(await update(gateway, await create(gateway), { status: 'review', prUrl: n === 0 ? ' ' : url }))
  assert.deepEqual(await gateway.call('test_forget_keys'), { forgotten: 201 })
  assert.deepEqual(await gateway.call('host_tell', pullRequest({ state: 'merged', url: `${url}1` })), { changed: [] })
  await gateway.runJob('tasks.pull-request-keys')
  const documents = await gateway.documents()
  assert.deepEqual(new Set(documents.tasks?.map((task) => (task as { prKey?: string }).prKey)), new Set(['', pullRequestKey(url)]))
  const { changed } = await gateway.call('host_tell', pullRequest({ state: 'merged' }))
  assert.ok(changed.includes(tasks[1]?.taskId))
})
