import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { closed, contribute, defineCollection, definePlugin, defineTool, healthProbe, Type } from '@gateway/sdk'
import { startTestGateway, testClock } from '@gateway/testing'
import { freePort } from '../../../test/support/ports.ts'
import { silent } from '../../storage/test/subject.ts'
import { temporaryFolder } from '../../storage/test/temporary-folder.ts'
import { openMongo } from '../src/index.ts'
import { lacksProgram, serve, startServer } from './mongodb-server.ts'

const notes = defineCollection('notes', { schema: Type.Object({ id: Type.String() }, closed), key: 'id' })
const keep = defineTool({
  name: 'keep',
  description: 'Keep a note.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/notes',
  input: Type.Object({ id: Type.String() }, closed),
  output: Type.Object({ id: Type.String() }, closed),
  uses: { notes },
  handle: (note, { notes }) => notes.insert(note),
})
const count = defineTool({
  name: 'count',
  description: 'Count the notes.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer() }, closed),
  uses: { notes },
  handle: async (_, { notes }) => ({ count: await notes.count() }),
})
const plugin = definePlugin({
  id: 'notes',
  sdk: '^1.0.0',
  description: 'Keeps notes.',
  collections: [notes],
  tools: [keep, count],
  contributes: [
    contribute(healthProbe, {
      uses: { notes },
      create: ({ notes }) => ({ name: 'notes', check: async () => ({ status: 'healthy' as const, notes: await notes.count() }) }),
    }),
  ],
})

/** An answer has three times as long, so that it comes in time if the machine pauses for seconds. */
const TIMEOUT_MS = 2_000
/**
 * No time is measured: an operation that is not given up in time exceeds its test's timeout. A server and two gateways start within
 * it, which takes a minute on a busy machine.
 */
const options = { timeout: 180_000 }
const hook = { timeout: 60_000 }

const lacking = lacksProgram()
const hanging = 'a server that takes connections and says nothing is given up in time, also within a transaction'
if (lacking !== undefined) test(`${hanging} (${lacking})`, { skip: true })
else
  test(hanging, options, async (t) => {
    const server = await startServer()
    const store = await openMongo({ url: server.url, clock: testClock(), log: silent, timeoutMs: TIMEOUT_MS })
    t.after(async () => {
      process.kill(server.pid, 'SIGCONT')
      await store.close()
      await server.stop()
    }, hook)
    await store.prepare([notes])
    const kept = store.collection<{ id: string }>(notes, 'local')
    await kept.insert({ id: 'a' })
    process.kill(server.pid, 'SIGSTOP')
    // A signal takes its time.
    while ((await store.health()).connected) await sleep(20, undefined, { signal: t.signal })
    const tried = [kept.get('a'), kept.insert({ id: 'b' }), store.atomically('local')((tx) => kept.in(tx).insert({ id: 'c' }))]
    for (const one of await Promise.allSettled(tried)) assert.equal(one.status === 'rejected' && one.reason.code, 'UNAVAILABLE')
    process.kill(server.pid, 'SIGCONT')
    while (!(await store.health()).connected) await sleep(20, undefined, { signal: t.signal })
    assert.deepEqual(await kept.get('a'), { id: 'a' })
  })

/** Forwards everything; once it swallows, everything except one command. */
async function relayTo(to: string, command: string): Promise<{ readonly url: string; swallow(): void; stop(): void }> {
  let swallows = false
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
    server.pipe(client)
    client.on('data', (said) => (swallows && said.includes(command)) || server.write(said))
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const stop = (): void => {
    relay.close()
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `mongodb://127.0.0.1:${(relay.address() as AddressInfo).port}/?directConnection=true`,
    swallow: () => void (swallows = true),
    stop,
  }
}

const unanswered = 'a command that is never answered is given up in time, and what comes after it is answered'
if (lacking !== undefined) test(`${unanswered} (${lacking})`, { skip: true })
else
  test(unanswered, options, async (t) => {
    const server = await startServer()
    const relay = await relayTo(server.url, '\u0002insert\0')
    const store = await openMongo({ url: relay.url, clock: testClock(), log: silent, timeoutMs: TIMEOUT_MS })
    t.after(async () => {
      await store.close()
      relay.stop()
      await server.stop()
    }, hook)
    await store.prepare([notes])
    const kept = store.collection<{ id: string }>(notes, 'local')
    relay.swallow()
    const tried = [kept.insert({ id: 'a' }), store.atomically('local')((tx) => kept.in(tx).insert({ id: 'b' }))]
    for (const one of await Promise.allSettled(tried)) assert.equal(one.status === 'rejected' && one.reason.code, 'UNAVAILABLE')
    assert.equal(await kept.count(), 0)
  })

const promise = 'without MongoDB the probes answer at once and calls are UNAVAILABLE in time; when it is back, so is everything'
if (lacking !== undefined) test(`${promise} (${lacking})`, { skip: true })
else
  test(promise, options, async (t) => {
    const folder = temporaryFolder()
    const port = await freePort()
    let server = await serve(port, folder.path)
    // Only for this process: the store of the test gateways.
    process.env.STORE = 'mongodb'
    const start = (timeoutMs: number) => {
      process.env.TEST_MONGODB_URL = `${server.url}?serverSelectionTimeoutMS=${timeoutMs}`
      return startTestGateway({ plugins: [plugin] })
    }
    const gateway = await start(TIMEOUT_MS)
    // Its calls would wait longer than this test may take; its probes do not.
    const patient = await start(2 * options.timeout)
    t.after(async () => {
      // Without a server the stop would wait for the calls of the patient gateway, which outlast the test.
      if (server.hasEnded()) server = await serve(port, folder.path)
      await Promise.allSettled([gateway.stop(), patient.stop()])
      await server.stop()
      folder.remove()
    }, hook)
    await gateway.call('keep', { id: 'before' })
    // Its HTTP side starts with the first request, and needs the store for that.
    await patient.inject({ method: 'GET', url: '/health' })

    await server.stop()
    for (const url of ['/health', '/status']) {
      const answer = await patient.inject({ method: 'GET', url })
      assert.deepEqual([answer.status, answer.json().database], [200, 'disconnected'])
    }
    const deep = await patient.inject({ method: 'GET', url: '/health/deep' })
    assert.doesNotMatch(deep.body, /127\.0\.0\.1/, 'the page is open to everyone')
    assert.deepEqual([deep.status, deep.json().database.status], [503, 'unhealthy'])
    const calls = [
      { url: '/api/notes', body: { id: 'during' } },
      { url: '/api/tools/count', body: {} },
    ]
    for (const answer of await Promise.all(calls.map((call) => gateway.inject({ method: 'POST', ...call })))) {
      assert.deepEqual([answer.status, answer.json().code, answer.headers['retry-after']], [503, 'UNAVAILABLE', '5'])
      assert.doesNotMatch(answer.body, /127\.0\.0\.1/, 'says nothing of where the store is')
    }

    server = await serve(port, folder.path)
    const healthy = async () => (await gateway.inject({ method: 'GET', url: '/health/deep' })).status === 200
    while (!(await healthy())) await sleep(50, undefined, { signal: t.signal })
    assert.deepEqual(await gateway.call('count'), { count: 1 })
    assert.equal(gateway.logs.filter(({ msg }) => /^MongoDB (does not answer|answers again)$/.test(String(msg))).length, 2)
    assert.deepEqual(await gateway.call('keep', { id: 'after' }), { id: 'after' })
  })
