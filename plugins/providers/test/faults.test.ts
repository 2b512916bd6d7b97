import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { answers, type Behaviour, begin, events, inTurn, refuses, standIn, WIRES, type WireName } from './stand-in.ts'
import { ask, guard, health, provider, start, until } from './support.ts'

const TIMES = { connectMs: 2_000, firstTokenMs: 300, idleMs: 300, totalMs: 600, maxAnswerBytes: 65_536 }

interface Fault {
  readonly behave: (wire: WireName) => Behaviour
  /** Expected count of the breaker: only failures that show that the provider does not work. */
  readonly failures: 0 | 1
  readonly says: RegExp
}
const streaming = (response: Parameters<Behaviour>[0]) => response.writeHead(200, { 'content-type': 'text/event-stream' })

const faults: Readonly<Record<string, Fault>> = {
  'a reset in mid-answer': {
    behave: (wire) => (response) => {
      begin(wire, response)
      setTimeout(() => response.destroy(), 20)
    },
    failures: 1,
    says: /broke/,
  },
  'an answer that ends before its end': {
    behave: (wire) => (response) => {
      begin(wire, response)
      response.end()
    },
    failures: 1,
    says: /broke its answer off/,
  },
  '429 without Retry-After': { behave: () => refuses(429), failures: 0, says: /no more calls/ },
  '429 with Retry-After': { behave: () => refuses(429, { 'retry-after': '20' }), failures: 0, says: /no more calls/ },
  '500': { behave: () => refuses(500), failures: 1, says: /HTTP 500/ },
  '529': { behave: () => refuses(529), failures: 1, says: /HTTP 529/ },
  'no first byte': { behave: () => () => {}, failures: 1, says: /too long/ },
  'a drip that never ends': {
    behave: () => (response) => {
      streaming(response)
      const drip = setInterval(() => response.write(': still there\n\n'), 50)
      response.on('close', () => clearInterval(drip))
    },
    failures: 1,
    says: /too long/,
  },
  'a huge answer': {
    behave: () => (response) => {
      streaming(response)
      response.end(`data: ${'x'.repeat(200_000)}\n\n`)
    },
    failures: 0,
    says: /too large/,
  },
  'invalid JSON': {
    behave: () => (response) => {
      streaming(response)
      response.end('data: {"choices": [\n\n')
    },
    failures: 1,
    says: /no JSON/,
  },
  'invalid JSON in one piece': {
    behave: () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"choices": [')
    },
    failures: 1,
    says: /no JSON/,
  },
  'words that drip without an end': {
    behave: (wire) => (response) => {
      begin(wire, response)
      const word = events(wire).find((event) => event.includes('Hello')) as string
      const drip = setInterval(() => response.write(word), 50)
      response.on('close', () => clearInterval(drip))
    },
    failures: 1,
    says: /too long/,
  },
  'JSON of another kind': {
    behave: () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"hello": "world"}')
    },
    failures: 1,
    says: /makes no sense/,
  },
  'a wrong content type': {
    behave: () => (response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<h1>Welcome</h1>')
    },
    failures: 1,
    says: /neither a stream/,
  },
  'an error in the stream': {
    behave: (wire) => (response) => {
      begin(wire, response)
      const error = { type: 'overloaded_error', message: 'Overloaded' }
      response.end(`data: ${JSON.stringify(wire === 'anthropic' ? { type: 'error', error } : { error })}\n\n`)
    },
    failures: 1,
    says: /error/,
  },
}

for (const wire of WIRES) {
  for (const [name, { behave, failures, says }] of Object.entries(faults)) {
    test(`${wire}: ${name} is told as what it is, leaves no connection, and the next in the chain answers in its place`, async () => {
      await using broken = await standIn(behave(wire))
      await using sound = await standIn(answers(wire, { words: ['sound'] }))
      const { plugin, planned, settled, released } = guard()
      await using gateway = await start(
        { api: provider(broken.baseUrl, { wire }), provider_b: provider(sound.baseUrl, { wire }) },
        { ...TIMES, maxHops: 1, chain: ['api', 'provider_b'] },
        { plugins: [plugin] },
      )
      const { text, provider: by, hops, routing } = await ask(gateway)
      assert.deepEqual({ text, by, hops, from: routing.failoverFrom }, { text: 'sound', by: 'provider_b', hops: 1, from: 'api' })
      const { circuitBreaker, counts } = await health(gateway, 'api')
      assert.deepEqual([circuitBreaker.state, circuitBreaker.failures, counts.calls, counts.inFlight], ['closed', failures, 1, 0])
      const { recentDroppedHops } = await gateway.call('provider_health')
      assert.deepEqual([recentDroppedHops[0].provider, recentDroppedHops[0].next], ['api', 'provider_b'])
      assert.match(recentDroppedHops[0].reason, says)
      assert.equal(planned.length, settled.length + released.length)
      assert.equal(sound.received.length, 1)
      await until(() => broken.state.underWay === 0)
    })
  }

  test(`${wire}: a provider that is alone and fails is a declared error that says why`, async () => {
    await using broken = await standIn(refuses(500))
    await using gateway = await start({ api: provider(broken.baseUrl, { wire }) }, { maxHops: 1 })
    const refusal = await ask(gateway).catch((error) => error)
    assert.equal(refusal.code, 'UNAVAILABLE')
    assert.match(refusal.message, /api: it failed \(HTTP 500\)/)
    assert.equal(broken.received.length, 2)
  })

  test(`${wire}: a provider that refuses connections is passed over`, async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => closed.on('listening', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    await using sound = await standIn(answers(wire))
    await using gateway = await start({
      api: provider(`http://127.0.0.1:${port}`, { wire }),
      provider_b: provider(sound.baseUrl, { wire }),
    })
    assert.equal((await ask(gateway)).provider, 'provider_b')
    assert.equal((await health(gateway, 'api')).circuitBreaker.failures, 1)
  })

  for (const status of [400, 401, 403, 404, 422]) {
    test(`${wire}: ${status} is not tried again, anywhere`, async () => {
      await using model = await standIn(refuses(status))
      await using other = await standIn(answers(wire))
      await using gateway = await start({ api: provider(model.baseUrl, { wire }), provider_b: provider(other.baseUrl, { wire }) })
      await assert.rejects(ask(gateway), { code: 'MODEL_REFUSED', status: 502 })
      assert.deepEqual([model.received.length, other.received.length], [1, 0])
      assert.equal((await health(gateway, 'api')).circuitBreaker.failures, 0)
    })
  }

  for (const [form, header] of [
    ['seconds', '20'],
    ['a date', 'Mon, 05 Jan 2026 09:00:20 GMT'],
  ] as const)
    test(`${wire}: with ${form} in Retry-After the provider is left alone until then, and asked again`, async () => {
      await using model = await standIn(inTurn(refuses(429, { 'retry-after': header }), answers(wire)))
      await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
      const asked = ask(gateway)
      await until(async () => (await health(gateway, 'api')).counts.queued === 1)
      assert.equal(model.received.length, 1)
      gateway.clock.advance(21)
      assert.equal((await asked).hops, 1)
      assert.equal(model.received.length, 2)
    })
}

test('a clock that is set back does not prolong the time for which a provider is left alone', async () => {
  await using model = await standIn(inTurn(refuses(429, { 'retry-after': '20' }), answers('openai')))
  await using gateway = await start({ api: provider(model.baseUrl, { wire: 'openai' }) })
  const asked = ask(gateway)
  await until(async () => (await health(gateway, 'api')).counts.queued === 1)
  gateway.clock.advance(-3_600)
  assert.equal((await health(gateway, 'api')).rateLimiter.cooldownUntil, undefined)
  gateway.clock.advance(2)
  assert.equal((await asked).hops, 1)
})
