import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Pool } from 'undici'
import { warmGateway } from './gateway/spawn.ts'
import { brokenAudit, brokenMail, brokenTasks, readTasks } from './kill/check.ts'
import { type Caller, caller, runFleet } from './kill/fleet.ts'
import { Promises, type TaskState } from './kill/promises.ts'
import { damage } from './powercut/damage.ts'
import { type Random, seeded, upTo } from './powercut/random.ts'

// The real gateway under load from many connections is killed at random moments, started again on the same data, and
// held against every answer it gave. KILLS sets how often, KILL_SEED repeats the choices (not the interleaving).
const kills = Number(process.env['KILLS'] ?? 20)
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)
/** Then a fresh folder, so that looking at everything stays cheap. */
const KILLS_PER_FOLDER = 10

it(`every answered write survives ${kills} kills under load, and no task is claimed twice`, { timeout: 120_000 + kills * 5_000 }, async () => {
  const random = seeded(seed)
  for (let left = kills; left > 0; left -= KILLS_PER_FOLDER) await wearFolder(Math.min(left, KILLS_PER_FOLDER), random)
})

async function wearFolder(times: number, random: Random): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-kill-'))
  const promises = new Promises()
  const rounds = new Map<string, Map<string, TaskState>>()
  let spare = warmGateway()
  /** The next gateway process, while another warms up. */
  const start = async () => {
    const process = spare
    spare = warmGateway()
    return process.start({ GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' })
  }
  let gateway = await start()
  try {
    for (let n = 1; n <= times; n++) {
      const round = `round-${n}`
      let answersLeft = 1 + upTo(random, 400)
      await runFleet(gateway.url, round, promises, random, () => {
        if (--answersLeft === 0) void gateway.kill()
      })
      await gateway.exited
      assertWhole(dataDir)
      gateway = await start()
      const found = await asking(gateway.url, async (call) => {
        const tasks = await readTasks(call, round)
        const broken = [...promises.broken, ...brokenTasks(promises, tasks, round), ...(await brokenMail(promises, call, round))]
        assert.deepEqual(broken, [], `KILL_SEED=${seed}`)
        return tasks
      })
      rounds.set(round, found)
      promises.settle(found)
    }
    assert.deepEqual(await brokenAudit(dataDir, promises), [])
    await asking(gateway.url, async (call) => {
      for (const [round, found] of rounds) assert.deepEqual(await readTasks(call, round), found, `${round} is as it was found after its kill`)
    })
  } finally {
    await gateway.kill()
    await spare.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** On a copy, so that the gateway finds its folder as the kill left it. */
function assertWhole(dataDir: string): void {
  const copy = `${dataDir}-copy`
  cpSync(dataDir, copy, { recursive: true })
  assert.deepEqual(damage(copy), [])
  rmSync(copy, { recursive: true })
}

async function asking<T>(url: string, ask: (call: Caller) => Promise<T>): Promise<T> {
  const pool = new Pool(url, { connections: 4 })
  try {
    return await ask(caller(pool))
  } finally {
    await pool.destroy()
  }
}
