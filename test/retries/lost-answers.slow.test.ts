import { test } from 'node:test'
import { workWithKills } from './lost-answers.ts'

// RETRIED_CALLS and KILL_EVERY_MS set the number of calls and the time between two kills. 100,000 calls need --test-timeout=9000000.
const calls = Number(process.env.RETRIED_CALLS ?? 2_000)
const killEveryMs = Number(process.env.KILL_EVERY_MS ?? 2_000)

test(
  `with a tenth of the answers lost and the gateway killed often, each of ${calls} calls with a key takes effect once`,
  {
    timeout: 120_000 + calls * 100,
  },
  () => workWithKills(calls, killEveryMs, 2),
)
