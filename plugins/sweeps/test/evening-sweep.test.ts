import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beside, start, task } from './support.ts'

const DAY = 86_400

test('what was completed today is reported, not what was before, with the repos worked', async () => {
  await using gateway = await start()
  await task(gateway, 'old', 'yesterday', {}, 'done')
  gateway.clock.advance(DAY)
  await task(gateway, 'web', 'the door', {}, 'done')
  await task(gateway, 'api', 'given up', {}, 'blocked')
  await task(gateway, 'cli', 'under way')
  await gateway.call('tasks_claim', { claimedBy: 'ada' })
  const { completed, repos, report } = await gateway.call('evening_sweep')
  assert.deepEqual([completed, repos], [1, ['cli', 'web']])
  assert.match(report, /^# Evening report, 2026-01-06\n\n\*\*1 task completed\*\* in 2 repos\. LLM spend: not metered\./)
  assert.match(report, /## Completed today\n\n- web: the door\n/)
})

test('tomorrow begins with what is first in the queue: three, or as many as asked for', async () => {
  await using gateway = await start()
  for (const priority of ['P3', 'P0', 'P2', 'P1']) await task(gateway, 'web', `of ${priority}`, { priority })
  const shown = async (args: object) => [...(await gateway.call('evening_sweep', args)).report.matchAll(/of (P\d)/g)].map(([, p]) => p)
  assert.deepEqual(await shown({}), ['P0', 'P1', 'P2'])
  assert.deepEqual(await shown({ previewTopN: 1 }), ['P0'])
  assert.deepEqual(await shown({ previewTopN: 0 }), [])
})

test('the spend of the day is reported where it is metered', async () => {
  const { plugin, asked } = beside({ budgets_breakdown: () => ({ totalUsd: 1.234 }) })
  await using gateway = await start({ plugins: [plugin] })
  const { spendUsd, report } = await gateway.call('evening_sweep')
  assert.equal(spendUsd, 1.234)
  assert.match(report, /LLM spend: \$1\.23\./)
  assert.equal(asked[0]?.args.from, '2026-01-05T00:00:00.000Z')
})

test('the report goes to a chat', async () => {
  const { plugin, asked } = beside({ notifications_send: () => ({ results: [{ channel: 'team', status: 'sent' }] }) })
  await using gateway = await start({ plugins: [plugin] })
  assert.equal((await gateway.call('evening_sweep', { chatId: 'lobby' })).delivered, true)
  assert.equal(asked[0]?.args.chatId, 'lobby')
})
