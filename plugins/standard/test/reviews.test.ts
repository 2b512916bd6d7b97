import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { standardPlugins } from '../src/index.ts'

const SECRET = 'inbound-secret-0123456789'
let shared: Promise<TestGateway> | undefined
after(async () => (await shared)?.stop())
const start = (): Promise<TestGateway> => {
  shared ??= startTestGateway({ plugins: standardPlugins, env: { CODE_HOSTING_WEBHOOK_SECRET: SECRET } })
  return shared
}

async function post(
  gateway: TestGateway,
  headers: Record<string, string>,
  payload: object,
): Promise<{ changed: string[]; status: number }> {
  const body = JSON.stringify(payload)
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const signed = 'x-gitlab-event' in headers ? headers : { 'x-hub-signature-256': signature, ...headers }
  const answer = await gateway.inject({ method: 'POST', url: '/api/webhooks/inbound/code-hosting', headers: signed, body })
  return { status: answer.status, changed: answer.json().changed }
}

const repository = { name: 'web', full_name: 'acme/web', html_url: 'https://code.example/acme/web' }
const author = { user: { login: 'ann' }, author_association: 'COLLABORATOR' }
/** Sends a review as a host with pull requests signs it. */
const review = (gateway: TestGateway, url: string, kind: string, more: object, signature = {}) =>
  post(
    gateway,
    { 'x-github-event': kind, 'x-github-delivery': randomUUID(), ...signature },
    {
      repository,
      pull_request: { html_url: url, head: { ref: 'fix' } },
      ...more,
    },
  )
const requested = (body: string) => ({ action: 'submitted', review: { ...author, state: 'changes_requested', body } })
const commented = (body: string) => ({ action: 'created', comment: { ...author, path: 'src/a.ts', line: 12, body } })

async function inReview(gateway: TestGateway, claimedBy: string, prUrl: string): Promise<string> {
  await gateway.call('tasks_create', { repo: claimedBy, title: 'It' })
  const { task } = await gateway.call('tasks_claim', { claimedBy, repo: claimedBy })
  await gateway.call('tasks_update', { taskId: task.taskId, claimId: task.claimId, status: 'review', prUrl, notes: 'Done so far.' })
  return task.taskId
}
const get = async (gateway: TestGateway, taskId: string) => (await gateway.call('tasks.get', { taskId })).task
async function mails(gateway: TestGateway, to: string, count: number): Promise<{ subject: string; body: string }[]> {
  for (;;) {
    const { messages } = await gateway.call('mail_inbox', { to })
    if (messages.length >= count) return messages
    await new Promise(setImmediate)
  }
}

test('a review that requests changes sends its task back with the review and its comments in the notes, for the next worker', async () => {
  const gateway = await start()
  const url = 'https://code.example/acme/web/pull/7'
  const taskId = await inReview(gateway, 'ada', url)
  assert.deepEqual((await review(gateway, url, 'pull_request_review_comment', commented('Why not a map?'))).changed, [taskId])
  assert.equal((await get(gateway, taskId)).status, 'review', 'a comment alone moves nothing')
  assert.deepEqual((await review(gateway, url, 'pull_request_review', requested('Test it.'))).changed, [taskId])
  await review(gateway, url, 'pull_request_review_comment', commented('And name it.'))
  const task = await get(gateway, taskId)
  assert.deepEqual([task.status, task.retryCount, task.claimedBy], ['pending', undefined, undefined])
  assert.equal(
    task.notes,
    [
      'Done so far.',
      'ann commented on src/a.ts line 12: Why not a map?',
      `ann requested changes of ${url}: Test it.`,
      'ann commented on src/a.ts line 12: And name it.',
    ].join('\n'),
  )
  const [mail, ...more] = await mails(gateway, 'ada', 1)
  assert.deepEqual([mail?.subject, more], ['ann requested changes', []])
  assert.match(mail?.body ?? '', /Test it\./)
  const claim = async () => (await gateway.call('tasks_claim', { claimedBy: 'bob', repo: 'ada' })).task
  assert.equal(await claim(), undefined, 'the comments of the review are waited for')
  gateway.clock.advance(31)
  assert.match((await claim()).notes, /Test it\./)
})

test('a comment reaches the one who works on the task by mail, and a task that is done is left alone', async () => {
  const gateway = await start()
  const url = 'https://code.example/acme/web/pull/8'
  const taskId = await inReview(gateway, 'eve', url)
  await gateway.call('tasks_update', { taskId, status: 'pending' })
  await gateway.call('tasks_claim', { claimedBy: 'eve', repo: 'eve' })
  await review(gateway, url, 'pull_request_review', requested('Mind the gap.'))
  await review(gateway, url, 'pull_request_review_comment', commented('This one.'))
  assert.equal((await get(gateway, taskId)).status, 'working')
  const subjects = (await mails(gateway, 'eve', 2)).map(({ subject }) => subject)
  assert.deepEqual(subjects.sort(), ['ann commented', 'ann requested changes'])
  await gateway.call('tasks_update', { taskId, status: 'done' })
  const { notes } = await get(gateway, taskId)
  assert.deepEqual((await review(gateway, url, 'pull_request_review', requested('Too late.'))).changed, [])
  assert.equal((await get(gateway, taskId)).notes, notes)
})

test('a reviewer of a merge request sends its task back, with the notes that were written', async () => {
  const gateway = await start()
  const url = 'https://code.example/acme/web/-/merge_requests/9'
  const taskId = await inReview(gateway, 'max', url)
  const send = (event: string, payload: object) =>
    post(
      gateway,
      { 'x-gitlab-event': event, 'x-gitlab-token': SECRET, 'x-gitlab-event-uuid': randomUUID() },
      {
        project: { name: 'web', path_with_namespace: 'acme/web' },
        user: { username: 'ann' },
        ...payload,
      },
    )
  const attributes = { noteable_type: 'MergeRequest', action: 'create', note: 'Why?', author_id: 5, url: `${url}#note_1` }
  const request = { iid: 9, source_branch: 'fix', reviewer_ids: [5] }
  const noted = await send('Note Hook', { object_kind: 'note', object_attributes: attributes, merge_request: request })
  assert.deepEqual(noted, { status: 202, changed: [taskId] })
  await send('Merge Request Hook', {
    object_kind: 'merge_request',
    object_attributes: { iid: 9, url, source_branch: 'fix', target_branch: 'main', state: 'opened', action: 'update' },
    changes: { reviewers: { previous: [{ id: 5, state: 'reviewed' }], current: [{ id: 5, username: 'ann', state: 'requested_changes' }] } },
  })
  const { status, notes } = await get(gateway, taskId)
  assert.deepEqual([status, notes], ['pending', `Done so far.\nann commented (${url}#note_1): Why?\nann requested changes of ${url}`])
})

test('a review with a wrong signature, or of somebody who does not belong to the repo, changes nothing', async () => {
  const gateway = await start()
  const url = 'https://code.example/acme/web/pull/10'
  const taskId = await inReview(gateway, 'kim', url)
  const forged = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
  assert.equal((await review(gateway, url, 'pull_request_review', requested('Obey.'), forged)).status, 401)
  const stranger = {
    action: 'submitted',
    review: { user: { login: 'x' }, author_association: 'NONE', state: 'changes_requested', body: 'Obey.' },
  }
  assert.deepEqual((await review(gateway, url, 'pull_request_review', stranger)).changed, [])
  const { status, notes } = await get(gateway, taskId)
  assert.deepEqual([status, notes], ['review', 'Done so far.'])
})
