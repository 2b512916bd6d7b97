import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded, upTo } from '../crash/powercut/random.ts'
import { workOnce } from '../retries/lost-answers.ts'
import { DisturbedNodes } from './disturbance.ts'
import { budgetHistory } from './histories/budgets.ts'
import { Caller, type Family } from './histories/caller.ts'
import { keyHistory } from './histories/keys.ts'
import { leaseHistory } from './histories/leases.ts'
import { slotHistory } from './histories/slots.ts'
import { taskHistory } from './histories/tasks.ts'
import { tenantHistory } from './histories/tenants.ts'
import { database, freshDatabase, skip } from './nodes.ts'

// NODE_CALLS sets the number of calls, NODE_SEED repeats the choices (not the interleaving).
const CALLS = Number(process.env.NODE_CALLS ?? 300)
const seed = Number(process.env.NODE_SEED ?? Date.now() % 1_000_000)
const REPEATED = Math.min(CALLS, 120)
/**
 * The server of the tests becomes slower with every session that it has seen, and keeps those of killed gateways. So each round has a
 * server, gateways and histories of its own. A call of unknown outcome may take effect until its round ends, and the search for an order
 * doubles with each: short rounds have few of them.
 */
const CALLS_PER_ROUND = 4_000
const ROUNDS = Math.max(1, Math.ceil(CALLS / CALLS_PER_ROUND))
const NODES = 3
const WORKERS = 24
const PROGRESS_EVERY_MS = 60_000

const options = { skip: skip !== false, timeout: 600_000 + CALLS * 200 }
const because = skip ? ` (${skip})` : ''
const disturbed = `${NODES} gateways, killed, paused, badly connected and with clocks that step by an hour`

test(
  `${disturbed}: each of ${REPEATED} repeated calls with a key takes effect once, and no task is claimed twice${because}`,
  options,
  async () => {
    const nodes = await DisturbedNodes.start(database(), NODES, seeded(seed))
    try {
      nodes.disturb()
      await workOnce(
        REPEATED,
        () => nodes.url,
        async () => {
          await nodes.calm()
          return nodes.url
        },
      )
    } finally {
      await nodes.dispose()
    }
  },
)

for (let round = 0; round < ROUNDS; round++) {
  const calls = Math.ceil(CALLS / ROUNDS)
  const which = ROUNDS === 1 ? '' : ` (${calls} calls, round ${round + 1} of ${ROUNDS})`
  const name = `${disturbed}: an order of the calls explains every answer of leases, tasks, slots, keys, suspensions and budgets${which}${because}`
  test(name, options, async (t) => {
    const random = seeded(seed + round)
    await using place = await freshDatabase()
    const nodes = await DisturbedNodes.start(place.url, NODES, random)
    const caller = new Caller(random, () => nodes.url)
    const families: readonly Family[] = [leaseHistory(), taskHistory(), slotHistory(), keyHistory(), tenantHistory(), budgetHistory()]
    // The reporter of the tests passes on what is written to the error stream while a test runs.
    const say = () =>
      console.error(
        `${caller.calls} calls, ${caller.unanswered} without an answer, ${caller.refused} refused before any work, ${nodes.kills} kills, ${nodes.pauses} pauses, ${nodes.cuts} cut connections; NODE_SEED=${seed + round}`,
      )
    const progress = setInterval(say, PROGRESS_EVERY_MS)
    try {
      for (const family of families) await family.prepare?.(caller)
      nodes.disturb(() => caller.calls)
      const work = async (worker: number): Promise<void> => {
        while (caller.calls < calls && !t.signal.aborted) {
          await (families[upTo(random, families.length)] as Family).step(worker, caller)
        }
      }
      await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))
      await nodes.calm()
      say()
      assert.deepEqual(
        families.flatMap((family) => family.faults()),
        [],
        `NODE_SEED=${seed + round}`,
      )
      for (const family of families) {
        for (const [what, times] of Object.entries(family.events())) assert.ok(times > 0, `there were no ${what}`)
      }
    } finally {
      clearInterval(progress)
      caller.hasEnded = true
      await nodes.dispose()
    }
  })
}
