import assert from 'node:assert/strict'
import { test } from 'node:test'
import dispatch from '@gateway/plugin-dispatch'
import mailbox from '@gateway/plugin-mailbox'
import outgoing from '@gateway/plugin-outgoing'
import schedules from '@gateway/plugin-schedules'
import swarms from '@gateway/plugin-swarms'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'
import { receiver } from './support.ts'

const plugins = [outgoing, trash, tasks, mailbox, swarms, dispatch, schedules, plugin]
const begin = (channels: object, env: Record<string, string> = {}) =>
  startTestGateway({ plugins, config: { notifications: { channels } }, env })

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate)
}

test('the result of a schedule reaches the channel that deliverTo names, and no other', async () => {
  await using there = await receiver()
  await using elsewhere = await receiver()
  await using gateway = await begin({ ops: there.chat(), other: elsewhere.chat() })
  const given = { name: 'Queue', cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list', deliverTo: 'ops' }
  const { schedule } = await gateway.call('schedules_create', given)
  await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId })
  assert.match(String(there.received[0]?.body.text), /Queue[\s\S]*"tasks"/)
  assert.deepEqual(elsewhere.received, [])
  const { notifications } = await gateway.call('notifications_history', {})
  assert.equal(notifications[0].source, 'schedules')
})

test('the report of a dispatch cycle reaches the chat of chatId, and the default chat only if there is something to report', async () => {
  await using there = await receiver()
  await using gateway = await begin({ ops: there.chat() }, { DEFAULT_CHAT_ID: 'everyone' })
  await gateway.call('dispatch_cycle', {})
  await gateway.call('dispatch_cycle', { chatId: '99' })
  await until(() => there.received.length === 1)
  assert.deepEqual([there.received[0]?.body.chat_id, /Nothing was to be/.test(String(there.received[0]?.body.text))], ['99', true])
  await gateway.call('tasks_create', { repo: 'web', title: 'Fix it' })
  await gateway.call('dispatch_cycle', {})
  await until(() => there.received.length === 2)
  assert.equal(there.received[1]?.body.chat_id, 'everyone')
  assert.match(String(there.received[1]?.body.text), /Fix it → web/)
})

test('a result that a channel could not take, or that came beyond the pace, is sent later, and once', async () => {
  let status = 503
  await using there = await receiver((_request, response) => {
    response.statusCode = status
    response.end('{}')
  })
  await using gateway = await startTestGateway({ plugins, config: { notifications: { channels: { ops: there.webhook() }, perMinute: 1 } } })
  const schedule = { cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list', deliverTo: 'ops' }
  for (const name of ['One', 'Two']) {
    const { scheduleId } = (await gateway.call('schedules_create', { ...schedule, name })).schedule
    await gateway.call('schedules_run_now', { scheduleId })
  }
  assert.equal(there.received.length, 1, 'the second is beyond the pace')
  status = 200
  for (let i = 0; i < 10; i++) {
    gateway.clock.advance(60)
    await gateway.runJob('schedules.deliver')
  }
  assert.deepEqual(there.received.map(({ body }) => body.title).sort(), ['One', 'One', 'Two'])
})

test('a result that a channel refuses for good is not sent again, and an alert says so', async () => {
  await using there = await receiver((_request, response) => {
    response.statusCode = 400
    response.end('{}')
  })
  await using gateway = await begin({ ops: there.webhook() })
  const given = { name: 'Queue', cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list', deliverTo: 'ops' }
  const { schedule } = await gateway.call('schedules_create', given)
  await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId })
  await until(() => there.received.length === 2)
  assert.match(String(there.received[1]?.body.message), /was not delivered.*at once/)
  gateway.clock.advance(3_600)
  await gateway.runJob('schedules.deliver')
  assert.equal(there.received.length, 2)
})
