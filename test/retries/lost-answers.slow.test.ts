import { test } from 'node:test'
import { workWithKills } from './lost-answers.ts'

// RETRIED_CALLS sets the number of calls: 100,000 take about an hour of a small machine.
const calls = Number(process.env.RETRIED_CALLS ?? 2_000)

test(
  `with a tenth of the answers lost and the gateway killed often, each of ${calls} calls with a key takes effect once`,
  {
    timeout: 120_000 + calls * 100,
  },
  () => workWithKills(calls, 2_000, 2),
)
