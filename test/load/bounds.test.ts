import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Running, runGateway } from '../abuse/running.ts'
import { raw, Wire } from '../abuse/wire.ts'
import { Bystander } from './bystander.ts'

/**
 * Attacks by one tenant that have killed a gateway, or blocked every tenant. BOUNDS=long runs them at full size and limits
 * another tenant's `tasks_claim` to 250 ms at p99 and the process to 600 MB; else they are small, and the bounded quantity is
 * counted.
 */
const LONG = process.env.BOUNDS === 'long'
const [BATCHES, SOCKETS, HALVES, SCANS, LINES] = LONG ? [2, 84, 10_050, 400, 40_000] : [1, 8, 300, 40, 2_000]
const MIB = 2 ** 20
const MESSAGE_BYTES = 8_000
const ADMIN = 'token-of-the-operator-in-a-test'

describe('one tenant that asks for far too much leaves the others served', { timeout: 600_000 }, () => {
  let running: Running
  let greedy: string
  let other: Bystander
  before(async () => {
    running = await runGateway({ GATEWAY_REQUEST_TIMEOUT_MS: '1500', ADMIN_API_TOKEN: ADMIN, RBAC_ENFORCE: '1' })
    greedy = await tenant('greedy')
    await fill(greedy)
    other = new Bystander(running.url, await tenant('other'))
    await other.work(20)
  })
  after(() => running?.stop())

  it('a batch of a hundred large lists is answered within its bound', async () => {
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'logs_list', arguments: { limit: 2000 } } })
    const body = JSON.stringify(Array.from({ length: 100 }, (_, id) => call(id)))
    assert.ok(body.length < 12_000)
    const meanwhile = other.begin()
    const answers = await Promise.all(
      Array.from({ length: BATCHES }, () =>
        fetch(`${running.url}/mcp`, { method: 'POST', headers: headers(greedy), body }).then((it) => it.text()),
      ),
    )
    for (const text of answers) {
      const messages = JSON.parse(text) as { id: number; error?: { message: string } }[]
      assert.deepEqual(new Set(messages.map(({ id }) => id)).size, 100)
      assert.ok(messages.some(({ error }) => error?.message.startsWith('Not begun')))
      assert.ok(text.length < 24 * MIB, `${text.length} bytes`)
    }
    await report('batch', await meanwhile.end())
  })

  it('answers that nobody reads hold who asked for them, not the heap', async () => {
    const request = raw('GET', '/api/logs?limit=2000', { 'x-api-key': greedy })
    const meanwhile = other.begin()
    const wires = await Promise.all(Array.from({ length: SOCKETS }, () => Wire.open(running.url)))
    for (const wire of wires) {
      wire.socket.pause()
      wire.send(request.repeat(400))
    }
    await delay(LONG ? 20_000 : 1_000)
    const { heapUsed } = await running.gateway.memory()
    assert.ok(heapUsed < 350 * MIB, `${heapUsed} bytes of heap`)
    await report('unread', await meanwhile.end())
    for (const wire of wires) wire.close()
  })

  it('half requests are hung up on a second after their answer, however the client holds on', async () => {
    const meanwhile = other.begin()
    const wires: Wire[] = []
    while (wires.length < HALVES) wires.push(...(await Promise.all(Array.from({ length: 50 }, () => halfOpen(running.url)))))
    let sockets = Number.POSITIVE_INFINITY
    for (let i = 0; i < 900 && sockets > 20; i++) {
      await delay(100)
      sockets = (await running.gateway.memory()).sockets
    }
    assert.ok(sockets <= 20, `${sockets} connections are left`)
    await report('half requests', await meanwhile.end())
    for (const wire of wires) wire.close()
  })

  it('texts that are looked for in every line take turns with everybody else', async () => {
    const meanwhile = other.begin()
    const scans = Array.from({ length: SCANS }, () => fetch(`${running.url}/api/logs?q=nowhere`, { headers: headers(greedy) }))
    const answers = await Promise.allSettled(scans)
    const statuses = answers.map((it) => (it.status === 'fulfilled' ? it.value.status : 0))
    assert.ok(
      statuses.every((status) => [200, 503, 504].includes(status)),
      [...new Set(statuses)].join(),
    )
    assert.ok(statuses.includes(200))
    await report('scans', await meanwhile.end())
  })

  async function report(what: string, { p99, worst, claims }: { p99: number; worst: number; claims: number }): Promise<void> {
    const { rss } = await running.gateway.memory()
    assert.ok(claims > 0, 'the other tenant was served')
    if (!LONG) return
    console.log(`${what}: ${claims} claims, p99 ${p99.toFixed(0)} ms, worst ${worst.toFixed(0)} ms, ${(rss / MIB).toFixed(0)} MiB`)
    assert.ok(p99 < 250, `${what}: p99 ${p99} ms`)
    assert.ok(rss < 600 * MIB, `${what}: ${rss} bytes`)
  }

  async function tenant(name: string): Promise<string> {
    const operator = { 'content-type': 'application/json', 'x-admin-token': ADMIN }
    const made = await fetch(`${running.url}/api/tenants`, { method: 'POST', headers: operator, body: JSON.stringify({ name }) })
    const { apiKey, ...tenant } = (await made.json()) as { apiKey: string }
    assert.equal(made.status, 201, JSON.stringify(tenant))
    return apiKey
  }

  /** The last lines, which a list returns first, are large. */
  async function fill(apiKey: string): Promise<void> {
    const message = 'a line of a log '.repeat(MESSAGE_BYTES / 16)
    for (let n = 0; n < LINES; n += 100) {
      const large = n >= LINES - 2_000
      const line = { correlationId: 'bounds', service: 'gateway', level: 'info', message: large ? message : 'a line' }
      const body = JSON.stringify({ lines: Array.from({ length: 100 }, () => line) })
      const answer = await fetch(`${running.url}/api/logs/batch`, { method: 'POST', headers: headers(apiKey), body })
      assert.equal(answer.status, 201, await answer.text())
    }
  }
})

const headers = (apiKey: string) => ({ 'content-type': 'application/json', accept: 'application/json', 'x-api-key': apiKey })

/** Keeps its side half open, like clients that never close the connection. */
async function halfOpen(url: string): Promise<Wire> {
  const wire = await Wire.open(url, { allowHalfOpen: true })
  wire.send('GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n')
  return wire
}
