import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Running, runGateway, succeed } from '../abuse/running.ts'
import { raw, Wire } from '../abuse/wire.ts'
import { statelessRequest } from '../fuzz/messages.ts'
import { IdleStream } from './idle-stream.ts'

/** IDLE sets the number of each kind: 2000 for a long run. */
const CLIENTS = Number(process.env.IDLE ?? 200)
const MIB = 2 ** 20
/** For 2,000 of each; the resident set of a small run is mostly the allocator's reserve. */
const ALLOWED_RSS = 150 * MIB * Math.max(CLIENTS / 2_000, 0.3)
const FREED_WITHIN_MS = 60_000
/** A session itself waits for its client, which may only have lost its connection. */
const SESSION_BYTES = 4_096

it(`${CLIENTS} idle sessions and ${CLIENTS} subscriptions cost little, hear of changes, and go with their clients`, {
  timeout: 300_000,
}, async () => {
  const running = await runGateway({}, join(import.meta.dirname, '../fuzz/main.ts'))
  try {
    await openAndLeave(running, 20)
    const idle = await running.gateway.memory()

    const streams = await open(running.url, CLIENTS)
    const loaded = await running.gateway.memory()
    assert.ok(loaded.sockets >= 2 * CLIENTS)
    const cost = loaded.rss - idle.rss
    assert.ok(cost < ALLOWED_RSS, `${2 * CLIENTS} idle clients cost ${(cost / MIB).toFixed(1)} MiB`)

    await succeed(running.url, 'fuzz_change', {})
    for (const stream of streams) await stream.until('notifications/tools/list_changed')

    for (const stream of streams) stream.die()
    const died = performance.now()
    for (;;) {
      const left = await running.gateway.memory()
      const kept = left.heapUsed - idle.heapUsed
      if (left.sockets <= idle.sockets && kept < MIB + CLIENTS * SESSION_BYTES) break
      assert.ok(performance.now() - died < FREED_WITHIN_MS, `${left.sockets} sockets and ${(kept / MIB).toFixed(1)} MiB are left`)
      await delay(100)
    }
  } finally {
    await running.stop()
  }
})

async function openAndLeave(running: Running, clients: number): Promise<void> {
  for (const stream of await open(running.url, clients)) stream.die()
  while ((await running.gateway.memory()).sockets > 0) await delay(10)
}

/** Opens the given number of sessions, each with its stream, and of subscriptions. */
async function open(url: string, clients: number): Promise<readonly IdleStream[]> {
  const sessions = await initialize(url, clients)
  const listening = sessions.map((session) =>
    IdleStream.open(url, raw('GET', '/mcp', { accept: 'text/event-stream', 'mcp-session-id': session })),
  )
  const subscribed = sessions.map((_, n) => IdleStream.open(url, subscription(n)))
  const streams = await Promise.all([...listening, ...subscribed])
  for (const stream of streams.slice(clients)) await stream.until('notifications/subscriptions/acknowledged')
  return streams
}

function subscription(id: number): string {
  const { headers, body } = statelessRequest(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
  return raw('POST', '/mcp', { accept: 'application/json, text/event-stream', ...headers }, JSON.stringify(body))
}

async function initialize(url: string, count: number): Promise<readonly string[]> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'idle', version: '1' } }
  const bytes = raw('POST', '/mcp', {}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }))
  const wire = await Wire.open(url)
  const sessions: string[] = []
  while (sessions.length < count) {
    wire.send(bytes)
    const [answer] = await wire.answers(1)
    sessions.push(/^mcp-session-id: (\S+)/im.exec(answer?.head ?? '')?.[1] ?? assert.fail('no session'))
  }
  wire.close()
  return sessions
}
