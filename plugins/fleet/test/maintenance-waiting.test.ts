import assert from 'node:assert/strict'
import { test } from 'node:test'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway } from '@gateway/testing'
import fleet from '../src/index.ts'

test('the end of a maintenance wakes claims that wait, by hand and by its time, in every tenant if it is the operator’s', async () => {
  await using gateway = await startTestGateway({ plugins: [trash, tasks, fleet] })
  const acme = { as: { tenantId: 'acme', role: 'member', kind: 'api-key' } } as const
  for (const end of ['exit', 'time', 'earlier'] as const) {
    await gateway.call('fleet_maintenance_enter', end === 'exit' ? {} : { resumeInMinutes: end === 'time' ? 0.5 : 60 })
    const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'A task' }, acme)
    const call = gateway.call('tasks_claim', { claimedBy: 'ada', waitSeconds: 55 }, acme)
    for (let i = 0; i < 3; i++) await gateway.call('tasks_next', {}, acme)
    if (end === 'exit') await gateway.call('fleet_maintenance_exit')
    if (end === 'earlier') await gateway.call('fleet_maintenance_enter', { resumeInMinutes: 0.5 })
    if (end !== 'exit') gateway.clock.advance(31)
    assert.equal((await call).task?.taskId, task.taskId, end)
  }
})
