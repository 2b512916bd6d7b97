import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimGate, repoNames } from '@gateway/plugin-tasks/api'
import { contribute, definePlugin } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { ask, convert, get, mail, start, tasksOf } from './support.ts'

test('a request becomes a task that its taker holds, and waits no longer', async () => {
  await using gateway = await start()
  const sent = await ask(gateway, { body: 'Line 1\nLine 2', replyTo: 'mail-0' })
  const { claimed } = await convert(gateway)
  const [{ taskId, claimId, ...rest }] = claimed
  assert.deepEqual(rest, { messageId: sent.messageId, from: 'ada', replyTo: 'mail-0', subject: 'Fix it' })
  await gateway.restart()
  const task = await get(gateway, taskId)
  const expected = {
    repo: 'web',
    title: 'Fix it',
    description: 'Line 1\nLine 2',
    status: 'working',
    stage: 'working',
    claimedBy: 'worker',
    claimId,
    leaseUntil: '2026-01-05T10:00:00.000Z',
    startedAt: '2026-01-05T09:00:00.000Z',
    sourceId: sent.messageId,
  }
  for (const [field, value] of Object.entries(expected)) assert.equal(task[field], value, field)
  assert.equal(task.readyFor, undefined)
  const [message] = await mail(gateway, 'web')
  assert.deepEqual([message?.acked, message?.ackedBy], [true, 'worker'])
  assert.deepEqual(await convert(gateway), { claimed: [] })
  const done = await gateway.call('tasks_update', { taskId, claimId, status: 'done' })
  assert.equal(done.task.status, 'done')
})

test('only requests are taken: not other kinds, not what is acked, not what an address sent to itself', async () => {
  await using gateway = await start()
  await ask(gateway, { kind: 'note' })
  await ask(gateway, { kind: 'result' })
  await ask(gateway, { from: 'WEB' })
  const { messageId } = await ask(gateway)
  await gateway.call('mail_ack', { id: messageId })
  await ask(gateway, { to: 'api' })
  assert.deepEqual(await convert(gateway), { claimed: [] })
  assert.equal((await gateway.call('mail_inbox', { to: 'web' })).unreadCount, 3)
})

test('the oldest first, five unless told otherwise, never more than twenty', async () => {
  await using gateway = await start()
  for (let i = 0; i < 30; i++) await ask(gateway, { subject: `${i}` })
  const first = await convert(gateway)
  assert.deepEqual(
    first.claimed.map(({ subject }: { subject: string }) => subject),
    ['0', '1', '2', '3', '4'],
  )
  assert.equal((await convert(gateway, { maxPerPoll: 2 })).claimed.length, 2)
  assert.equal((await convert(gateway, { maxPerPoll: 1_000 })).claimed.length, 20)
  await assert.rejects(convert(gateway, { maxPerPoll: 0 }), refusal('BAD_REQUEST', 'maxPerPoll'))
})

test('the repo is the one of the address, else defaultRepo, else the address', async () => {
  await using gateway = await start()
  const repoFor = async (to: string, args: object = {}) => {
    await ask(gateway, { to })
    const { claimed } = await convert(gateway, { address: to, ...args })
    return (await get(gateway, claimed[0].taskId)).repo
  }
  assert.equal(await repoFor('hub/web', { defaultRepo: 'api' }), 'web')
  assert.equal(await repoFor('hub', { defaultRepo: 'api' }), 'api')
  assert.equal(await repoFor('web'), 'web')
})

/** A folder of the repo web. */
const clones = definePlugin({
  id: 'clones',
  sdk: '^1.0.0',
  description: 'Knows a clone.',
  contributes: [contribute(repoNames, { uses: {}, create: () => ({ nameOf: async (text) => (text === '/srv/web' ? 'web' : undefined) }) })],
})

test('a folder as defaultRepo is the name of its repo', async () => {
  await using gateway = await start({ plugins: [clones] })
  await ask(gateway, { to: 'hub' })
  const { claimed } = await convert(gateway, { address: 'hub', defaultRepo: '/srv/web' })
  assert.equal((await get(gateway, claimed[0].taskId)).repo, 'web')
})

test('a request without a subject has the first line of its body as title, or its sender', async () => {
  await using gateway = await start()
  await ask(gateway, { subject: '', body: '\n  Please help\nwith it' })
  await ask(gateway, { subject: '' })
  await convert(gateway)
  assert.deepEqual(new Set((await tasksOf(gateway)).map(({ title }) => title)), new Set(['Please help', 'Request from ada']))
})

test('a title is cut to its limit without cutting through a character', async () => {
  await using gateway = await start()
  await ask(gateway, { subject: '', body: `${'x'.repeat(499)}🚀` })
  await convert(gateway)
  assert.equal((await tasksOf(gateway))[0]?.title, 'x'.repeat(499))
})

test('a director’s address is refused, and its mail stays', async () => {
  await using gateway = await start()
  for (const address of ['director', 'Operator', 'hub/director']) {
    await ask(gateway, { to: address })
    await assert.rejects(convert(gateway, { address }), refusal('DIRECTOR_ADDRESS', 'address', /mail_inbox/))
    assert.equal((await gateway.call('mail_inbox', { to: address })).unreadCount, 1)
  }
  await using other = await start({ env: { DIRECTOR_ADDRESSES: 'boss, */lead' } })
  for (const address of ['boss', 'hub/lead']) await assert.rejects(convert(other, { address }), refusal('DIRECTOR_ADDRESS', 'address'))
  await ask(other, { to: 'director' })
  assert.equal((await convert(other, { address: 'director' })).claimed.length, 1)
})

test('of many pollers at once each request goes to one', async () => {
  await using gateway = await start()
  for (let i = 0; i < 20; i++) await ask(gateway, { subject: `${i}` })
  const polls = await Promise.all(Array.from({ length: 20 }, (_, i) => convert(gateway, { claimedBy: `worker-${i}` })))
  const claimed = polls.flatMap((poll) => poll.claimed)
  const tasks = await tasksOf(gateway)
  assert.deepEqual([claimed.length, new Set(claimed.map(({ messageId }) => messageId)).size, tasks.length], [20, 20, 20])
  assert.deepEqual(new Set(tasks.map(({ taskId }) => taskId)), new Set(claimed.map(({ taskId }) => taskId)))
})

test('while claims are closed nothing is taken, and the answer says why', async () => {
  let open = false
  const maintenance = definePlugin({
    id: 'test-maintenance',
    sdk: '^1.0.0',
    description: 'Closes the queue.',
    contributes: [contribute(claimGate, { create: () => ({ check: async () => (open ? { open } : { open, reason: 'Maintenance.' }) }) })],
  })
  await using gateway = await start({ plugins: [maintenance] })
  await ask(gateway)
  assert.deepEqual(await convert(gateway), { claimed: [], reason: 'Maintenance.' })
  assert.equal((await gateway.call('mail_inbox', { to: 'web' })).unreadCount, 1)
  open = true
  assert.equal((await convert(gateway)).claimed.length, 1)
})

test('a worker that goes away loses its task to the queue, and no second one is made', async () => {
  await using gateway = await start()
  await ask(gateway)
  const { claimed } = await convert(gateway)
  gateway.clock.advance(3_601)
  await gateway.runJob('tasks.lease-reap')
  assert.equal((await get(gateway, claimed[0].taskId)).status, 'pending')
  assert.deepEqual(await convert(gateway), { claimed: [] })
})

test('what is wrong with an argument is said with its name', async () => {
  await using gateway = await start()
  for (const [args, field] of [
    [{ address: undefined }, 'address'],
    [{ address: 'a b' }, 'address'],
    [{ claimedBy: undefined }, 'claimedBy'],
    [{ claimedBy: ' ' }, 'claimedBy'],
    [{ defaultRepo: ' ' }, 'defaultRepo'],
  ] as const) {
    await assert.rejects(convert(gateway, args), refusal('BAD_REQUEST', field))
  }
})

test('the requests of another tenant are not seen', async () => {
  await using gateway = await start()
  await ask(gateway)
  assert.deepEqual(await convert(gateway, {}, { as: { tenantId: 'acme' } }), { claimed: [] })
})
