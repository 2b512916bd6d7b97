import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Pool } from 'undici'
import { type GatewayProcess, warmGateway } from './gateway/spawn.ts'

// Chunks are stored from many connections, some of them twice, while the gateway is killed at random moments and started again on
// the same data. With the model (GATEWAY_MODEL_DIR, npm run embeddings:install) they are embedded meanwhile.
const KILLS = 3
const WRITERS = 8
const models = process.env.TEST_MODEL_DIR
const hasModel = models !== undefined && existsSync(join(import.meta.dirname, '../../plugins/embeddings/runtime/node_modules'))

it(`every acknowledged chunk, handoff and state survives ${KILLS} kills, is found by its words and ${hasModel ? 'embedded' : 'waits for its vectors (no model here)'}; none is there twice`, {
  timeout: 300_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-memory-'))
  const acknowledged = new Map<string, string>()
  const kept = new Set<string>()
  const env = { GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0', ...(hasModel && { GATEWAY_MODEL_DIR: models as string }) }
  let gateway = await warmGateway().start(env)
  try {
    for (let round = 0; round < KILLS; round++) {
      await storeUntilKilled(gateway, round, acknowledged, kept)
      gateway = await warmGateway().start(env)
    }
    await holds(gateway, acknowledged, kept)
  } finally {
    await gateway.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

async function storeUntilKilled(
  gateway: GatewayProcess,
  round: number,
  acknowledged: Map<string, string>,
  kept: Set<string>,
): Promise<void> {
  const pool = new Pool(gateway.url, { connections: WRITERS })
  let left = 60 + 40 * round
  const writer = async (n: number): Promise<void> => {
    for (let i = 0; ; i++) {
      // Every second text is also stored by another writer.
      const word = `zebra${round}w${i % 2 === 0 ? n : 0}i${i}`
      const chunk = await call(pool, 'memory_store', { content: `The ${word} was seen.`, ...(n % 2 === 0 && { sessionId: `s${n}` }) })
      if (chunk === undefined) return
      acknowledged.set(word, chunk.chunkId as string)
      if (--left === 0) void gateway.kill()
    }
  }
  // Texts that other families keep, indexed with the write of their owner.
  const keeper = async (tool: string, args: (text: string) => object): Promise<void> => {
    for (let i = 0; ; i++) {
      const word = `okapi${round}${tool.replace('_', '')}i${i}`
      if ((await call(pool, tool, args(`The ${word} was seen.`))) === undefined) return
      kept.add(word)
    }
  }
  await Promise.all([
    ...Array.from({ length: WRITERS }, (_, n) => writer(n)),
    keeper('handoff_write', (content) => ({ repo: 'somewhere', content })),
    keeper('state_update', (content) => ({ repo: 'somewhere', heading: '## Seen', mode: 'append', content })),
  ])
  await gateway.exited
  await pool.destroy()
}

async function holds(gateway: GatewayProcess, acknowledged: ReadonlyMap<string, string>, kept: ReadonlySet<string>): Promise<void> {
  const pool = new Pool(gateway.url, { connections: 4 })
  try {
    for (const [word, chunkId] of acknowledged) {
      const { results } = (await call(pool, 'memory_search', { query: word, limit: 3 })) as {
        results: { chunkId: string; content: string }[]
      }
      assert.equal(results[0]?.chunkId, chunkId, `${word} is found`)
      assert.equal(results.filter(({ content }) => content.includes(`${word} `)).length, 1, `${word} is there once`)
    }
    for (const word of kept) {
      const { results } = (await call(pool, 'memory_search', { query: word, limit: 3 })) as { results: { content: string }[] }
      assert.ok(results[0]?.content.includes(word), `${word} is found`)
    }
    const { total } = (await call(pool, 'memory_stats', {})) as { total: number }
    assert.ok(total >= acknowledged.size)
    if (!hasModel) return
    for (;;) {
      const { total, embedded } = (await call(pool, 'memory_stats', {})) as { total: number; embedded: number }
      if (embedded === total) return
      // A store call wakes the embedder; otherwise it would be the job of the next minute.
      await call(pool, 'memory_store', { content: `awake ${embedded} of ${total}` })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    await pool.destroy()
  }
}

/** Returns undefined when no answer came. */
async function call(pool: Pool, tool: string, args: object): Promise<Record<string, unknown> | undefined> {
  const headers = { 'content-type': 'application/json' }
  const response = await pool
    .request({ method: 'POST', path: `/api/tools/${tool}`, headers, body: JSON.stringify(args) })
    .catch(() => undefined)
  const text = await response?.body.text().catch(() => undefined)
  if (response === undefined || text === undefined) return undefined
  if (response.statusCode === 503) return undefined
  assert.equal(response.statusCode, 200, text)
  return JSON.parse(text) as Record<string, unknown>
}
