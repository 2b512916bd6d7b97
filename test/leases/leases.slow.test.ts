import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { warmGateway } from '../crash/gateway/spawn.ts'
import { seeded, upTo } from '../crash/powercut/random.ts'
import { Fleet, readHistory, sharedTime } from './fleet.ts'
import type { Call } from './history.ts'
import type { Entry } from './ledger-plugin.ts'
import { faults } from './linearizable.ts'

// Processes compete for a few leases through one real gateway, while they are stopped and killed, their clocks leap, the
// store's clock leaps ahead, and the gateway is killed and started again. LEASES sets the number of answers, LEASES_SEED
// repeats the choices (not the interleaving).
const ANSWERS = Number(process.env.LEASES ?? 800)
const seed = Number(process.env.LEASES_SEED ?? Date.now() % 1_000_000)
const PROCESSES = 16
const KEYS = ['repo/web', 'repo/api', 'repo/docs', 'deploy', 'release', 'index']
const SPEED = 40
const ANSWERS_PER_GATEWAY = 300

const program = join(import.meta.dirname, 'gateway.ts')

it(`${PROCESSES} processes fight over leases for ${ANSWERS} answers: never two holders, fences rise, no stale write goes through`, {
  timeout: 120_000 + ANSWERS * 50,
}, async () => {
  const random = seeded(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-leases-'))
  const folder = mkdtempSync(join(tmpdir(), 'gateway-leases-history-'))
  const env = { GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0', CLOCK_BASE: String(Date.now()), CLOCK_SPEED: String(SPEED) }
  let gateway = await warmGateway(program).start(env)
  let spare = warmGateway(program)
  const fleet = new Fleet({ folder, size: PROCESSES, keys: KEYS, speed: SPEED, random })
  const ends: number[] = []
  try {
    fleet.direct(gateway.url)
    for (let restartAt = ANSWERS_PER_GATEWAY; fleet.answered < ANSWERS; ) {
      await delay(upTo(random, 150))
      if (random() < 0.5) fleet.pauseOne(upTo(random, 2_000))
      else if (random() < 0.2) fleet.killOne()
      if (fleet.answered < restartAt) continue
      await spare.ready
      await gateway.kill()
      ends.push(sharedTime())
      gateway = await spare.start(env)
      spare = warmGateway(program)
      fleet.direct(gateway.url)
      restartAt = fleet.answered + ANSWERS_PER_GATEWAY
    }
    await fleet.end()

    const { calls, faults: refusals } = readHistory(folder, ends)
    assert.deepEqual(refusals, [], 'every call was answered as documented')
    assert.deepEqual(faults(calls), [], `LEASES_SEED=${seed}`)
    for (const key of KEYS) assert.deepEqual(ledgerFaults(calls, await readLedger(gateway.url, key), key), [])
    assertEventful(calls)
  } finally {
    await fleet.end()
    await Promise.all([gateway.kill(), spare.kill()])
    for (const path of [dataDir, folder]) rmSync(path, { recursive: true, force: true })
  }
})

async function readLedger(url: string, key: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let cursor: string | undefined
  do {
    const body = JSON.stringify({ key, cursor })
    const response = await fetch(`${url}/api/tools/ledger_read`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const page = (await response.json()) as { entries: Entry[]; nextCursor?: string }
    entries.push(...page.entries)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return entries
}

/** Checks the final guarded resource: each holder's entries together, in the order of their fences. */
function ledgerFaults(calls: readonly (Call & { readonly id: string })[], entries: readonly Entry[], key: string): string[] {
  const found = new Map(entries.map((entry) => [entry.entryId, entry]))
  const mixed = entries
    .filter(({ fence }, n) => fence < (entries[n - 1]?.fence ?? 0))
    .map((entry) => `out of order: ${JSON.stringify(entry)}`)
  const writes = calls.filter(({ request, ...call }) => call.key === key && request.op === 'write')
  const lost = writes.filter(({ id, answer }) => answer?.ok === true && !found.has(id)).map(({ id }) => `${id} was answered and is lost`)
  const stale = writes.filter(({ id, answer }) => answer?.ok === false && found.has(id)).map(({ id }) => `${id} was refused and is there`)
  return [...mixed, ...lost, ...stale]
}

/** A run without events would prove nothing. */
function assertEventful(calls: readonly Call[]): void {
  const count = (wanted: (call: Call) => unknown): number => calls.filter(wanted).length
  const events = {
    leases: count(({ request, answer }) => request.op === 'acquire' && answer?.ok),
    takeovers: count(({ answer }) => answer?.ok && answer.tookOverFrom !== undefined),
    'lost heartbeats': count(({ request, answer }) => request.op === 'heartbeat' && answer?.ok === false),
    writes: count(({ request, answer }) => request.op === 'write' && answer?.ok),
    'stale writes refused': count(({ request, answer }) => request.op === 'write' && answer?.ok === false),
    'calls without an answer': count(({ answer }) => answer === undefined),
  }
  for (const [what, times] of Object.entries(events)) assert.ok(times > 0, `there were no ${what} among ${calls.length} calls`)
  if (process.env.LEASES !== undefined) console.log(`${calls.length} calls: ${JSON.stringify(events)}`)
}
