import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Pool } from 'undici'
import { type GatewayProcess, warmGateway } from './gateway/spawn.ts'
import { brokenAudit, brokenMail, brokenTasks, readTasks } from './kill/check.ts'
import { caller, runFleet } from './kill/fleet.ts'
import { Promises, type TaskState } from './kill/promises.ts'
import type { Caller } from './kill/worker.ts'
import { damage } from './powercut/damage.ts'
import { type Random, seeded, upTo } from './powercut/random.ts'

// The real gateway under load from many connections is killed at random moments, started again on the same data, and
// compared with every answer it gave. KILLS sets the number of kills (each takes a second or more, most of it to load a fresh
// process),
// KILL_SEED repeats the choices (not the interleaving).
const kills = Number(process.env.KILLS ?? 10)
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
/** After this number a fresh folder is used, so that full checks stay cheap. */
const KILLS_PER_FOLDER = 20

it(`every answered write survives ${kills} kills under load, and no task is claimed twice`, {
  timeout: 120_000 + kills * 10_000,
}, async () => {
  const random = seeded(seed)
  const spares = new Spares()
  try {
    for (let left = kills; left > 0; left -= KILLS_PER_FOLDER) await wearFolder(Math.min(left, KILLS_PER_FOLDER), spares, random)
  } finally {
    await spares.dispose()
  }
})

/** While one process serves, the next one loads. */
class Spares {
  #next = warmGateway()

  async start(dataDir: string): Promise<GatewayProcess> {
    const spare = this.#next
    this.#next = warmGateway()
    return spare.start({ GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' })
  }

  dispose(): Promise<void> {
    return this.#next.kill()
  }
}

async function wearFolder(times: number, spares: Spares, random: Random): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-kill-'))
  const promises = new Promises()
  const rounds = new Map<string, ReadonlyMap<string, TaskState>>()
  let gateway = await spares.start(dataDir)
  try {
    for (let n = 1; n <= times; n++) {
      const round = `round-${n}`
      await loadAndKill(gateway, round, promises, random)
      assertWhole(dataDir)
      gateway = await spares.start(dataDir)
      const found = await asking(gateway.url, (call) => hold(promises, call, round))
      rounds.set(round, found)
      promises.settle(found)
    }
    assert.deepEqual(await brokenAudit(dataDir, promises), [])
    await asking(gateway.url, async (call) => {
      for (const [round, found] of rounds) assert.deepEqual(await readTasks(call, round), found, `${round} is as it was after its kill`)
    })
  } finally {
    await gateway.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function loadAndKill(gateway: GatewayProcess, round: string, promises: Promises, random: Random): Promise<void> {
  let answersLeft = 1 + upTo(random, 400)
  await runFleet(gateway.url, round, promises, random, () => {
    if (--answersLeft === 0) void gateway.kill()
  })
  await gateway.exited
}

/** Checks the state after the restart against the promises; returns the tasks found. */
async function hold(promises: Promises, call: Caller, round: string): Promise<ReadonlyMap<string, TaskState>> {
  const tasks = await readTasks(call, round)
  assert.deepEqual(
    [...promises.broken, ...brokenTasks(promises, tasks, round), ...(await brokenMail(promises, call, round))],
    [],
    `KILL_SEED=${seed}`,
  )
  return tasks
}

/** Uses a copy, so that the gateway finds its folder as the kill left it. */
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
