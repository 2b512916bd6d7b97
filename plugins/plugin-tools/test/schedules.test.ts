import assert from 'node:assert/strict'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import schedules from '@gateway/plugin-schedules'
import { startTestGateway } from '@gateway/testing'
import pluginTools from '../src/index.ts'
import { admin, ENABLED, handler, json, operatorOf, register, stranger } from './support.ts'

test('a schedule of the tenant may have the tool as its target, one of another tenant may not', async () => {
  await using gateway = await startTestGateway({ plugins: [outgoing, pluginTools, schedules], env: ENABLED })
  await using remote = await handler(json(1))
  await register(gateway, { handlerUrl: remote.url }, { as: operatorOf('acme') })
  const order = { name: 'Shout daily', cronExpr: '0 9 * * *', kind: 'tool', target: 'shout', message: '{"text":"hey"}' }
  await assert.rejects(gateway.call('schedules_create', order, { as: stranger }), { code: 'BAD_REQUEST' })
  const { schedule } = await gateway.call('schedules_create', order, { as: admin })
  const run = async () => (await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId }, { as: admin })).schedule
  assert.equal((await run()).lastStatus, 'success')
  assert.deepEqual(JSON.parse(remote.received[0]?.body ?? '').arguments, { text: 'hey', times: 1 })
  await gateway.call('plugin_tools_remove', { name: 'shout' }, { as: admin })
  const { lastStatus, lastError } = await run()
  assert.deepEqual([lastStatus, lastError], ['error', 'Unknown tool: shout'])
})
