import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Pool } from 'undici'
import { type GatewayProcess, type WarmProcess, warmGateway } from './gateway/spawn.ts'
import { caller } from './kill/fleet.ts'
import type { Caller } from './kill/worker.ts'
import { brokenRequests, brokenSwarms } from './orchestration/check.ts'
import { Orders, runOrders } from './orchestration/orders.ts'
import { seeded, upTo } from './powercut/random.ts'

// Swarms are planned and requests converted to tasks by many callers at once, while the gateway is killed. KILLS sets
// the number of kills, KILL_SEED repeats the choices.
const kills = Number(process.env.KILLS ?? 6)
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)

it(`after each of ${kills} kills a plan stands whole or not at all, and a request is one task or still waits`, {
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const random = seeded(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-orchestration-'))
  let spare: WarmProcess = warmGateway()
  const next = async (): Promise<GatewayProcess> => {
    const warm = spare
    spare = warmGateway()
    return warm.start({ GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' })
  }
  let gateway = await next()
  try {
    for (let n = 1; n <= kills; n++) {
      const orders = new Orders(`round-${n}`)
      let answersLeft = 1 + upTo(random, 120)
      await runOrders(gateway.url, orders, random, () => {
        if (--answersLeft === 0) void gateway.kill()
      })
      await gateway.exited
      gateway = await next()
      const broken = await asking(gateway.url, async (call) => [
        ...(await brokenSwarms(call, orders)),
        ...(await brokenRequests(call, orders)),
      ])
      assert.deepEqual(broken, [], `KILL_SEED=${seed}, round ${n}`)
    }
  } finally {
    await Promise.all([gateway.kill(), spare.kill()])
    rmSync(dataDir, { recursive: true, force: true })
  }
})

async function asking<T>(url: string, ask: (call: Caller) => Promise<T>): Promise<T> {
  const pool = new Pool(url, { connections: 4 })
  try {
    return await ask(caller(pool))
  } finally {
    await pool.destroy()
  }
}
