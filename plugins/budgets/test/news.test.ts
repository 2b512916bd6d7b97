import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, eventRecorder, type RecordedEvent } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import budgets from '../src/index.ts'
import { crossed } from '../src/rules/crossed.ts'
import { pay, spender } from './support.ts'

const recorded: RecordedEvent[] = []
/** Plays a family that delivers public events to the outside. */
const recorder = definePlugin({
  id: 'recorder',
  sdk: '^1.0.0',
  description: 'Remembers.',
  contributes: [contribute(eventRecorder, { create: () => ({ record: async (told) => void recorded.push(told) }) })],
})
const told = (family: string) =>
  recorded.filter(({ event }) => event.startsWith(family)).map(({ event, payload }) => ({ event, ...payload }) as Record<string, unknown>)

test('a budget tells once that it is near its cap, and once that it has reached it', async () => {
  await using gateway = await startTestGateway({
    plugins: [budgets, spender, recorder],
    config: { budgets: { monthlyCapUsd: 1, downgradeAt: 0.5 } },
  })
  for (const costUsd of [0.4, 0.2, 0.2, 0.2]) await pay(gateway, { costUsd })
  assert.deepEqual(
    told('budgets.').map(({ event, cap, capUsd, spentUsd }) => [event, cap, capUsd, spentUsd]),
    [
      ['budgets.near', 'monthlyCapUsd', 1, 0.6],
      ['budgets.reached', 'monthlyCapUsd', 1, 1],
    ],
  )
})

test('one call past both lines is told as the cap, and one that stays between them is not told', () => {
  const cap = { name: 'monthlyCapUsd', capUsd: 1, meterId: 'm', resetsAt: '' }
  const usd = (amount: number) => amount * 1_000_000_000
  assert.equal(crossed(cap, 0, usd(2), 0.8), 'cap')
  assert.equal(crossed(cap, usd(0.8), usd(0.9), 0.8), undefined)
  assert.equal(crossed(cap, usd(0.7), usd(0.8), 0.8), 'near')
})
