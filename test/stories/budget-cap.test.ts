import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { alerts, audited, events, outside, read, shown } from './support.ts'

test('a cap is nearly reached, reached and raised: calls are refused in between, and a person hears of it', async () => {
  await using world = await outside('It is the parser.')
  // A call of the model costs 0.011 USD.
  const budgets = { dailyCapUsd: 0.02, downgradeAt: 0.5 }
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: { ...world.config, budgets } })
  const ask = () => gateway.inject({ method: 'POST', url: '/api/tools/agents_invoke', body: { agent: 'ops-engineer', message: 'Why?' } })
  const state = async () => (await shown(gateway, '/budgets', 'status'))[0]
  const attention = async () => (await read(gateway, '/api/attention')).items.map(({ kind, tone }: Record<string, string>) => [kind, tone])

  assert.equal((await ask()).status, 200)
  assert.deepEqual([(await state())?.State, await attention()], ['downgrade', [['budget-stop', 'warn']]])
  assert.deepEqual(await alerts(gateway), ['The budget of models is nearly used up'])

  assert.equal((await ask()).status, 200)
  const refused = await ask()
  assert.deepEqual([refused.status, refused.json().code], [402, 'BUDGET_EXCEEDED'])
  assert.deepEqual([refused.json().details.cap, refused.json().details.capUsd], ['dailyCapUsd', 0.02])
  await assert.rejects(gateway.call('agents_invoke', { agent: 'ops-engineer', message: 'Why?' }), { code: 'BUDGET_EXCEEDED' })
  assert.equal((await gateway.call('budgets_status')).state, 'exceeded')
  assert.deepEqual([(await state())?.State, await attention()], ['exceeded', [['budget-stop', 'bad']]])
  assert.deepEqual(await alerts(gateway), ['The budget of models is nearly used up', 'The budget of models is used up'])
  assert.match(world.chats().join('\n'), /nearly used up[\s\S]*is used up/)
  assert.deepEqual(
    (await events(gateway, 'budgets.')).map(({ event, data }) => [event, (data as { cap: string }).cap]),
    [
      ['budgets.near', 'dailyCapUsd'],
      ['budgets.reached', 'dailyCapUsd'],
    ],
  )

  // Raised in the settings, which take effect with a start.
  budgets.dailyCapUsd = 10
  await gateway.restart()
  assert.equal((await ask()).status, 200)
  assert.deepEqual([(await state())?.State, await attention()], ['ok', []])
  const spent = (await gateway.call('budgets_status')).todayUsd
  assert.ok(Math.abs(spent - 0.033) < 0.000_01, String(spent))
  const outcomes = (await gateway.audit()).flatMap(({ tool, outcome }) => (tool === 'agents_invoke' ? [outcome] : []))
  assert.equal(outcomes.length, 5)
  assert.deepEqual((await audited(gateway, 'agents_invoke'))[0], ['operator', { agent: 'ops-engineer' }])
})
