import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merge, top } from '../src/rules/parts.ts'
import { pay, start } from './support.ts'

test('this month’s spend by provider, model, channel and member', async () => {
  await using gateway = await start()
  gateway.clock.set(new Date('2026-02-28T23:59:59Z'))
  await pay(gateway, { costUsd: 9 })
  gateway.clock.set(new Date('2026-03-15T10:00:00Z'))
  await pay(gateway, { costUsd: 0.5, provider: 'local', model: 'small', channel: 'chat', member: 'bob' })
  await pay(gateway, { costUsd: 1.25 })
  const { from, to, totalUsd, calls, ...parts } = await gateway.call('budgets_breakdown')
  assert.deepEqual([from, to, totalUsd, calls], ['2026-03-01T00:00:00.000Z', '2026-03-15T10:00:00.000Z', 1.75, 2])
  const one = { costUsd: 1.25, calls: 1, inputTokens: 100, outputTokens: 10 }
  const other = { ...one, costUsd: 0.5 }
  assert.deepEqual(parts, {
    byProvider: [
      { provider: 'api', ...one },
      { provider: 'local', ...other },
    ],
    byModel: [
      { model: 'big', ...one },
      { model: 'small', ...other },
    ],
    byChannel: [
      { channel: 'mcp', ...one },
      { channel: 'chat', ...other },
    ],
    byAgent: [],
    byTask: [],
    bySwarm: [],
    byMember: [
      { member: 'ada', ...one },
      { member: 'bob', ...other },
    ],
  })
})

test('beyond two hundred parts the rest stands together, and nothing is lost', () => {
  const one = { nanos: 1, calls: 1, inputTokens: 2, outputTokens: 3 }
  const parts = top(merge(Array.from({ length: 250 }, (_, i) => [`m${i}`, one] as const)))
  assert.equal(parts.length, 201)
  assert.deepEqual(parts.at(-1), ['(other)', { nanos: 50, calls: 50, inputTokens: 100, outputTokens: 150 }])
})
