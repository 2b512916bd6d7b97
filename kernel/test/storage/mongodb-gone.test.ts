import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { contribute, defineCollection, definePlugin, defineTool, healthProbe, Type } from '@gateway/sdk'
import { type InjectResponse, startTestGateway, testClock } from '@gateway/sdk/testing'
import { openMongo } from '../../src/storage/mongodb/index.ts'
import { buildFerretdb, freePort, serveFerretdb, startFerretdb } from './ferretdb.ts'
import { silent } from './subject.ts'
import { temporaryFolder } from './temporary-folder.ts'

const closed = { additionalProperties: false } as const
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

const built = buildFerretdb()
const hanging = 'a server that takes connections and says nothing is given up in time, also within a transaction'
if ('reason' in built) test(`${hanging} (${built.reason})`, { skip: true })
else
  test(hanging, async (t) => {
    const server = await startFerretdb(built.binary)
    const store = await openMongo({ url: server.url, clock: testClock(), log: silent, withoutTransactions: true, timeoutMs: 500 })
    t.after(async () => {
      process.kill(server.pid, 'SIGCONT')
      await store.close()
      await server.stop()
    })
    await store.prepare([notes])
    const kept = store.collection<{ id: string }>(notes, 'local')
    await kept.insert({ id: 'a' })
    process.kill(server.pid, 'SIGSTOP')
    const began = performance.now()
    assert.equal((await store.health()).connected, false)
    const tried = [kept.get('a'), kept.insert({ id: 'b' }), store.atomically('local')((tx) => kept.in(tx).insert({ id: 'c' }))]
    for (const one of await Promise.allSettled(tried)) assert.equal(one.status === 'rejected' && one.reason.code, 'UNAVAILABLE')
    assert.ok(performance.now() - began < 15_000)
    process.kill(server.pid, 'SIGCONT')
    for (const deadline = Date.now() + 30_000; !(await store.health()).connected; await sleep(20)) assert.ok(Date.now() < deadline)
    assert.deepEqual(await kept.get('a'), { id: 'a' })
  })

/** Passes on all that is said, but for one command. */
async function swallowing(command: string, to: string): Promise<{ readonly url: string; stop(): void }> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
    server.pipe(client)
    client.on('data', (said) => said.includes(command) || server.write(said))
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const stop = (): void => {
    relay.close()
    for (const socket of sockets) socket.destroy()
  }
  return { url: `mongodb://127.0.0.1:${(relay.address() as AddressInfo).port}/`, stop }
}

const unanswered = 'a command that is never answered is given up in time, and what comes after it is answered'
if ('reason' in built) test(`${unanswered} (${built.reason})`, { skip: true })
else
  test(unanswered, async (t) => {
    const server = await startFerretdb(built.binary)
    const relay = await swallowing('\u0002insert\0', server.url)
    const store = await openMongo({ url: relay.url, clock: testClock(), log: silent, withoutTransactions: true, timeoutMs: 500 })
    t.after(async () => {
      await store.close()
      relay.stop()
      await server.stop()
    })
    await store.prepare([notes])
    const kept = store.collection<{ id: string }>(notes, 'local')
    await assert.rejects(kept.insert({ id: 'a' }), { code: 'UNAVAILABLE' })
    await assert.rejects(
      store.atomically('local')((tx) => kept.in(tx).insert({ id: 'b' })),
      { code: 'UNAVAILABLE' },
    )
    assert.equal(await kept.count(), 0)
  })

const promise = 'without MongoDB the probes answer at once and calls are UNAVAILABLE in time; when it is back, so is everything'
if ('reason' in built) test(`${promise} (${built.reason})`, { skip: true })
else
  test(promise, async (t) => {
    const folder = temporaryFolder()
    const port = await freePort()
    let server = await serveFerretdb(built.binary, port, folder.path)
    // For this process alone: the store that the test gateway is given.
    process.env.STORE = 'mongodb'
    delete process.env.TEST_MONGODB_URL
    process.env.TEST_FERRETDB_URL = `${server.url}?serverSelectionTimeoutMS=1500`
    const gateway = await startTestGateway({ plugins: [plugin] })
    t.after(async () => {
      await gateway.stop().catch(() => {})
      await server.stop()
      folder.remove()
    })
    const timed = async (method: string, url: string, body?: object): Promise<{ answer: InjectResponse; ms: number }> => {
      const began = performance.now()
      const answer = await gateway.inject({ method, url, ...(body && { body }) })
      return { answer, ms: performance.now() - began }
    }
    await gateway.call('keep', { id: 'before' })

    await server.stop()
    for (const path of ['/health', '/status']) {
      const { answer, ms } = await timed('GET', path)
      assert.deepEqual([answer.status, answer.json().database], [200, 'disconnected'])
      assert.ok(ms < 4_000, `${path} took ${ms} ms`)
    }
    const deep = await timed('GET', '/health/deep')
    assert.doesNotMatch(deep.answer.body, /127\.0\.0\.1/, 'the page is open to everyone')
    assert.deepEqual([deep.answer.status, deep.answer.json().database.status], [503, 'unhealthy'])
    assert.ok(deep.ms < 4_000, `/health/deep took ${deep.ms} ms`)
    const calls = await Promise.all([timed('POST', '/api/notes', { id: 'during' }), timed('POST', '/api/tools/count', {})])
    for (const { answer, ms } of calls) {
      assert.deepEqual([answer.status, answer.json().code, answer.headers['retry-after']], [503, 'UNAVAILABLE', '5'])
      assert.doesNotMatch(answer.body, /127\.0\.0\.1/, 'says nothing of where the store is')
      assert.ok(ms < 20_000, `a call took ${ms} ms`)
    }

    server = await serveFerretdb(built.binary, port, folder.path)
    for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
      if ((await timed('GET', '/health')).answer.json().database === 'connected') break
      assert.ok(Date.now() < deadline, 'it did not come back')
    }
    assert.deepEqual(await gateway.call('count'), { count: 1 })
    assert.equal(gateway.logs.filter(({ msg }) => /^MongoDB (does not answer|answers again)$/.test(String(msg))).length, 2)
    assert.deepEqual(await gateway.call('keep', { id: 'after' }), { id: 'after' })
    assert.equal((await timed('GET', '/health/deep')).answer.status, 200)
  })
