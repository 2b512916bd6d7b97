import assert from 'node:assert/strict'
import { test } from 'node:test'
import mailbox from '@gateway/plugin-mailbox'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { closed, definePlugin, defineTool, Type, Unavailable } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import work from '../src/index.ts'

const start = (): Promise<TestGateway> => startTestGateway({ plugins: [trash, tasks, mailbox, work] })

test('a loop is two calls: one takes a task with unread mail, one ends it and sends the result', async () => {
  await using gateway = await start()
  await gateway.call('tasks_create', { repo: 'web', title: 'Fix it' })
  await gateway.call('mail_send', { to: 'host/web', from: 'ann', body: 'Mind the cache.' })
  const { claimed, task, mail } = await gateway.call('work_next', { claimedBy: 'ada', mailTo: 'host/web' })
  assert.deepEqual([claimed, task.title, task.status, mail[0].body], [true, 'Fix it', 'working', 'Mind the cache.'])
  assert.equal('retryCount' in task || 'dependsOn' in task, false, 'zeros and empty lists are left out')
  const { taskId, claimId } = task
  const done = await gateway.call('work_done', { taskId, claimId, outcome: 'done', notes: 'Fixed.', resultTo: 'ann' })
  assert.deepEqual(done, { status: 'done', written: ['tasks_update', 'mail_send'] })
  const { messages } = await gateway.call('mail_inbox', { to: 'ann' })
  assert.deepEqual([messages[0].kind, messages[0].subject, messages[0].body], ['result', 'done: Fix it', 'Fixed.'])
  assert.deepEqual(await gateway.call('work_next', { claimedBy: 'ada' }), { claimed: false })
})

test('an address that cannot be read is refused before a task is taken, by the name of its argument', async () => {
  await using gateway = await start()
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'Fix it' })
  const asked = { claimedBy: 'ada', mailTo: 'Ada Lovelace' }
  await assert.rejects(gateway.call('work_next', asked), { code: 'BAD_REQUEST', message: /^`mailTo` must be an address.*"Ada Lovelace"/ })
  assert.equal((await gateway.call('tasks.get', { taskId: task.taskId })).task.status, 'pending')
})

test('mail that arrives during the wait comes too; a mailbox that cannot be read then loses no task', async () => {
  let reads = 0
  const inbox = defineTool({
    name: 'mail_inbox',
    description: 'Read mail, the first time alone. Returns {messages}.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({ to: Type.String(), limit: Type.Integer() }, closed),
    output: Type.Object({ messages: Type.Array(Type.Object({ body: Type.String() })) }),
    uses: {},
    async handle() {
      reads += 1
      if (reads === 4) throw Unavailable({ message: 'The mailbox is away.' })
      return { messages: [{ body: String(reads) }] }
    },
  })
  const mail = definePlugin({ id: 'mail', sdk: '^1.0.0', description: 'A mailbox.', tools: [inbox] })
  await using gateway = await startTestGateway({ plugins: [trash, tasks, mail, work] })
  for (const body of ['2', '3']) {
    await gateway.call('tasks_create', { repo: 'web', title: 'Fix it' })
    const { claimed, mail } = await gateway.call('work_next', { claimedBy: 'ada', mailTo: 'ada', waitSeconds: 5 })
    assert.deepEqual([claimed, mail[0].body], [true, body])
  }
})

test('a worker with a labelled key need not say its name', async () => {
  await using gateway = await start()
  await gateway.call('tasks_create', { repo: 'web', title: 'Fix it' })
  await assert.rejects(gateway.call('work_next', {}), { code: 'BAD_REQUEST', message: /^`claimedBy`/ })
  const as = { kind: 'api-key', id: 'key:k1', role: 'member', label: 'm1/agent-1' } as const
  assert.equal((await gateway.call('work_next', {}, { as })).task.claimedBy, 'm1/agent-1')
})

test('a worker that lost its claim writes nothing', async () => {
  await using gateway = await start()
  await gateway.call('tasks_create', { repo: 'web', title: 'Fix it' })
  const { task } = await gateway.call('work_next', { claimedBy: 'ada' })
  const late = { taskId: task.taskId, claimId: 'claim-old', outcome: 'done', resultTo: 'ann' }
  await assert.rejects(gateway.call('work_done', late), { code: 'CONFLICT' })
  assert.equal((await gateway.call('mail_inbox', { to: 'ann' })).unreadCount, 0)
})

test('a failure is tried again, and what could not be written is named', async () => {
  await using gateway = await start()
  await gateway.call('tasks_create', { repo: 'web', title: 'Fix it' })
  const { task } = await gateway.call('work_next', { claimedBy: 'ada' })
  const { taskId, claimId } = task
  const answer = await gateway.call('work_done', {
    taskId,
    claimId,
    outcome: 'failed',
    notes: 'No network.',
    memory: 'The network is down on Mondays.',
  })
  assert.deepEqual(answer, {
    status: 'pending',
    written: ['tasks_fail'],
    failed: [{ tool: 'memory_store', error: 'The tool memory_store is not available here.' }],
  })
})
