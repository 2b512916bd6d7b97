import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { caller, outgoing, refusal, server } from './support.ts'

/** A server that answers on command. */
async function waiting() {
  const answers: (() => void)[] = []
  let arrived = (): void => {}
  const remote = await server((_request, response) => {
    answers.push(() => void response.end())
    arrived()
  })
  return {
    ...remote,
    answerAll: () => {
      for (const answer of answers.splice(0)) answer()
    },
    reached: async (count: number) => {
      while (answers.length < count) await new Promise<void>((resolve) => (arrived = resolve))
    },
  }
}
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

describe('calls under way', () => {
  test('of a tenant fill its own share, and delay no other tenant', async () => {
    await using slow = await waiting()
    await using quick = await server((_request, response) => void response.end())
    await using out = outgoing({ callsPerTenant: 3 })
    const other = caller(out.http, { tenantId: 'bolt' })
    const held = times(3, () => out.send(slow.url))
    await slow.reached(3)
    await assert.rejects(out.send(quick.url), refusal('OUTGOING_BUSY', { reason: 'tenant', retryAfterSeconds: 1 }))
    assert.equal((await other.send(quick.url)).status, 200)
    slow.answerAll()
    await Promise.all(held)
    assert.equal((await out.send(quick.url)).status, 200)
  })

  test('of a slow origin fill its own share, whoever calls it, and leave the others alone', async () => {
    await using slow = await waiting()
    await using quick = await server((_request, response) => void response.end())
    await using out = outgoing({ callsPerOrigin: 4 })
    const other = caller(out.http, { tenantId: 'bolt' })
    const held = [...times(2, () => out.send(slow.url)), ...times(2, () => other.send(slow.url))]
    await slow.reached(4)
    await assert.rejects(other.send(slow.url), refusal('OUTGOING_BUSY', { reason: 'origin' }))
    assert.equal((await other.send(quick.url)).status, 200)
    slow.answerAll()
    await Promise.all(held)
  })

  test('of all are bounded', async () => {
    await using slow = await waiting()
    await using out = outgoing({ calls: 2 })
    const held = times(2, () => out.send(slow.url))
    await slow.reached(2)
    await assert.rejects(out.send(slow.url), refusal('OUTGOING_BUSY', { reason: 'gateway' }))
    slow.answerAll()
    await Promise.all(held)
  })
})

describe('an origin that fails', () => {
  test('rests for the tenant that named it and for no other; then one call sees whether it works again', async () => {
    let status = 500
    await using remote = await server((_request, response) => void response.writeHead(status).end())
    await using out = outgoing({ failureThreshold: 2, cooldownSeconds: 30 })
    const other = caller(out.http, { tenantId: 'bolt' })
    for (let i = 0; i < 2; i++) assert.equal((await out.send(remote.url)).status, 500)
    await assert.rejects(out.send(remote.url), refusal('OUTGOING_BUSY', { reason: 'breaker', retryAfterSeconds: 30 }))
    assert.equal((await other.send(remote.url)).status, 500)
    const key = `${remote.url.slice(0, -1)} acme`
    assert.equal(out.http.breakers.state(key, out.clock.now).state, 'open')
    out.clock.now += 30_000
    status = 200
    assert.equal(out.http.breakers.state(key, out.clock.now).state, 'half_open')
    assert.equal((await out.send(remote.url)).status, 200)
    assert.equal(out.http.breakers.state(key, out.clock.now).state, 'closed')
  })

  test('that the operator named rests for all, and is called again after a reset', async () => {
    let status = 503
    await using remote = await server((_request, response) => void response.writeHead(status).end())
    await using out = outgoing({ failureThreshold: 1 })
    const other = caller(out.http, { tenantId: 'bolt' })
    await out.send(remote.url, { reach: 'operator' })
    await assert.rejects(other.send(remote.url, { reach: 'operator' }), refusal('OUTGOING_BUSY', { reason: 'breaker' }))
    status = 200
    const [failing] = out.http.breakers.states(out.clock.now)
    assert.equal(out.http.breakers.reset(failing?.key ?? ''), true)
    assert.equal((await other.send(remote.url, { reach: 'operator' })).status, 200)
  })

  test('rests by the name its caller gives it, or not at all where the caller keeps its own breaker', async () => {
    await using remote = await server((_request, response) => void response.writeHead(500).end())
    await using out = outgoing({ failureThreshold: 1 })
    for (let i = 0; i < 3; i++) assert.equal((await out.send(remote.url, { breaker: false })).status, 500)
    await out.send(remote.url, { breaker: 'one' })
    await assert.rejects(out.send(remote.url, { breaker: 'one' }), refusal('OUTGOING_BUSY', { reason: 'breaker' }))
    assert.equal((await out.send(remote.url, { breaker: 'two' })).status, 500)
  })

  test('is not blamed for a caller that leaves, nor for a refusal of its own', async () => {
    await using remote = await server((_request, response) => void response.writeHead(404).end())
    await using silent = await server(() => {})
    await using out = outgoing({ failureThreshold: 1 })
    for (let i = 0; i < 3; i++) assert.equal((await out.send(remote.url)).status, 404)
    for (let i = 0; i < 3; i++) {
      const leaving = caller(out.http)
      const call = leaving.send(silent.url)
      setImmediate(() => leaving.gone.abort(new Error('left')))
      await assert.rejects(call, /left/)
    }
    assert.deepEqual(out.http.breakers.states(out.clock.now), [])
  })
})
