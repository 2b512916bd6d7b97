import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { standingAgents } from '../src/api.ts'
import { admin, at, create, MINUTE, start, tick } from './support.ts'

const named = (...names: string[]) =>
  definePlugin({
    id: `test-standing-${names[0]}`,
    sdk: '^1.0.0',
    description: 'For tests.',
    contributes: [contribute(standingAgents, { create: () => ({ names: async () => names }) })],
  })

test('each schedule of an agent is told with its cron, last run, next run, and whether it is enabled', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('standing_agents_status'), { count: 0, agents: [] })
  const one = await create(gateway, { kind: 'agent', target: 'writer', cronExpr: '*/5 * * * *' })
  const two = await create(gateway, { kind: 'agent', target: 'reviewer', cronExpr: '0 12 * * *', enabled: false })
  await create(gateway, { kind: 'tool' })
  await create(gateway, { kind: 'skill', target: 'summary' })
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  assert.deepEqual(await gateway.call('standing_agents_status'), {
    count: 2,
    agents: [
      {
        agent: 'writer',
        scheduled: true,
        scheduleId: one.scheduleId,
        cronExpr: '*/5 * * * *',
        lastRun: at('09:05'),
        lastStatus: 'error',
        nextRun: at('09:10'),
        enabled: true,
      },
      {
        agent: 'reviewer',
        scheduled: true,
        scheduleId: two.scheduleId,
        cronExpr: '0 12 * * *',
        lastStatus: 'never',
        nextRun: at('12:00'),
        enabled: false,
      },
    ],
  })
})

test('an agent that is meant to stand and has no schedule is marked, once, whoever names it', async () => {
  await using gateway = await start({ plugins: [named('writer', 'auditor'), named('keeper', 'auditor')] })
  await create(gateway, { kind: 'agent', target: 'writer' })
  const { count, agents } = await gateway.call('standing_agents_status')
  assert.equal(count, 3)
  assert.deepEqual(
    agents.map(({ agent, scheduled }: { agent: string; scheduled: boolean }) => [agent, scheduled]),
    [
      ['writer', true],
      ['auditor', false],
      ['keeper', false],
    ],
  )
  assert.deepEqual(agents[1], { agent: 'auditor', scheduled: false })
})

test('a tenant sees its own schedules', async () => {
  await using gateway = await start()
  await create(gateway, { kind: 'agent', target: 'writer' }, { as: admin })
  assert.equal((await gateway.call('standing_agents_status')).count, 0)
})

test('it tells of all, however many', async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 1_050 }, () => create(gateway, { kind: 'agent', target: 'writer' })))
  assert.equal((await gateway.call('standing_agents_status')).count, 1_050)
})
