import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { start, type TestGateway } from '../../plugins/events/test/support.ts'
import { database, skip } from './nodes.ts'
import { readinessProxy } from './readiness-proxy.ts'

const WRITERS = 2
const PAUSE_MS = 20
const PATIENCE_MS = 60_000

/** Events of a stream until it ends or breaks off. */
async function* eventsOf(response: Response): AsyncGenerator<{ readonly id: string; readonly text: string }> {
  let rest = ''
  try {
    for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() as string
      for (const block of blocks) {
        const [, id] = /^id: (.*)$/m.exec(block) ?? []
        const [, data] = /^data: (.*)$/m.exec(block) ?? []
        if (id !== undefined && data !== undefined) yield { id, text: JSON.parse(data).data.text }
      }
    }
  } catch {
    // A stream that broke off is opened again.
  }
}

test(`a stream that is opened again with its last id shows every event once, while two gateways are restarted one after the other${skip ? ` (${skip})` : ''}`, {
  skip: skip !== false,
  timeout: 300_000,
}, async () => {
  const env = { MONGODB_URL: database(), GATEWAY_HASH_KEY: '5a'.repeat(32), GATEWAY_CALLS_PER_MINUTE_PER_KEY: '0' }
  const begin = (): Promise<TestGateway> => start({}, { env, listen: true })
  const gateways: (TestGateway | undefined)[] = [await begin(), await begin()]
  const proxy = await readinessProxy(gateways.map((_, n) => () => gateways[n]?.url))
  const ended = new AbortController()
  const [rung, seen]: [string[], string[]] = [[], []]
  let streams = 0
  let isOver = false

  /** Rings once, and asks again with the same key until it is answered. */
  async function ring(text: string): Promise<void> {
    for (;;) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': `ring-${text}` }
      const call = { method: 'POST', headers, body: JSON.stringify({ texts: [text] }) }
      const response = await fetch(`${proxy.url}/api/tools/bell_ring`, call).catch(() => undefined)
      await response?.arrayBuffer().catch(() => undefined)
      if (response?.ok) return void rung.push(text)
      await sleep(PAUSE_MS)
    }
  }
  async function write(writer: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      await ring(`${writer}-${n}`)
      await sleep(PAUSE_MS)
    }
  }
  async function watch(): Promise<void> {
    let last: string | undefined
    while (!ended.signal.aborted) {
      const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) }
      const response = await fetch(`${proxy.url}/api/events`, { headers, signal: ended.signal }).catch(() => undefined)
      if (!response?.ok) {
        await sleep(PAUSE_MS)
        continue
      }
      streams++
      for await (const { id, text } of eventsOf(response)) {
        last = id
        seen.push(text)
      }
    }
  }

  const watching = watch()
  try {
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer))
    for (const n of gateways.keys()) {
      const before = seen.length
      while (seen.length < before + 5) await sleep(PAUSE_MS)
      const stopping = gateways[n] as TestGateway
      await stopping.stop()
      gateways[n] = undefined
      gateways[n] = await begin()
      while (!proxy.isReady(n)) await sleep(PAUSE_MS)
    }
    isOver = true
    await Promise.all(writing)
    const sent = new Set(rung)
    for (const end = Date.now() + PATIENCE_MS; new Set(seen).size < sent.size && Date.now() < end; ) await sleep(PAUSE_MS)
    assert.deepEqual(seen.toSorted(), rung.toSorted())
    assert.ok(streams > 1, 'the stream was opened again')
  } finally {
    isOver = true
    ended.abort()
    await watching
    proxy.close()
    await Promise.all(gateways.map(async (gateway) => gateway?.stop()))
  }
})
