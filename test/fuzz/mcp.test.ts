import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { type Running, runGateway } from '../abuse/running.ts'
import type { Memory } from '../crash/gateway/spawn.ts'
import { seeded } from '../crash/powercut/random.ts'
import { endSessions, type Sender, sendBatch } from './envelopes.ts'
import { useStreams } from './streams.ts'
import { type Tenant, twoTenants } from './tenants.ts'

/**
 * Faulty messages, headers and streams of both protocols, sent by two tenants at once with equal ids. FUZZ sets the number of
 * requests (200000 for a long run), FUZZ_SEED repeats a run.
 */
const REQUESTS = Number(process.env.FUZZ ?? 3_000)
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
const CONNECTIONS = 4
/** Probability that streams are used between two batches. */
const STREAMS = 0.3
/** Requests until compiled code, caches and the pools of the allocator are filled. */
const WARM_UP = Math.max(1_500, REQUESTS / 5)
const ADMIN = 'an-admin-token-of-the-tests'
const MIB = 2 ** 20

it(`${REQUESTS} mutated MCP requests: each answered, to its own caller, and nothing kept (seed ${SEED})`, {
  timeout: 1_200_000,
}, async () => {
  const running = await runGateway({ ADMIN_API_TOKEN: ADMIN }, join(import.meta.dirname, 'main.ts'))
  try {
    const tenants = await twoTenants(running.url, ADMIN)
    await fuzz(running, tenants, WARM_UP, SEED)
    const before = await running.gateway.memory()
    await fuzz(running, tenants, REQUESTS, SEED + 1)
    assertFlat(before, await running.gateway.memory())
  } finally {
    await running.stop()
  }
})

async function fuzz({ url }: Running, [one, two]: readonly [Tenant, Tenant], requests: number, seed: number): Promise<void> {
  const sessions = new Map<Tenant, string[]>([
    [one, []],
    [two, []],
  ])
  const states = new Map<Tenant, string>()
  let left = requests
  const send = async (sender: Sender, n: number): Promise<void> => {
    const random = seeded(seed * 1_000 + n)
    while (left > 0) {
      const sent = (await sendBatch(random, sender)) + (random() < STREAMS ? await useStreams(random, sender) : 0)
      left -= sent
    }
  }
  const senders = [
    { url, tenant: one, other: two, sessions, states },
    { url, tenant: two, other: one, sessions, states },
  ]
  await Promise.all(senders.flatMap((sender, s) => Array.from({ length: CONNECTIONS }, (_, n) => send(sender, s * CONNECTIONS + n))))
  await Promise.all(senders.map((sender) => endSessions(sender)))
}

/**
 * The limit is less than a small object kept per request. The resident set also holds memory that the allocator has not returned.
 */
function assertFlat(before: Memory, after: Memory): void {
  const grown = { heap: (after.heapUsed - before.heapUsed) / MIB, rss: (after.rss - before.rss) / MIB }
  assert.ok(grown.heap < 8, `the heap grew by ${grown.heap.toFixed(1)} MiB`)
  assert.ok(grown.rss < 128, `the resident set grew by ${grown.rss.toFixed(1)} MiB`)
}
