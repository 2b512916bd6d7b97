import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Metrics } from '@gateway/metrics'
import type { Principal } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { pino } from 'pino'
import type { Gateway } from '../../core/src/gateway.ts'
import type { Relay, RelayMessage, Subscriber } from '../../core/src/ports/relay.ts'
import { localRelay } from '../../core/src/ports/relay.ts'
import { subject } from '../../storage/test/subject.ts'
import { Handshake } from '../src/handshake/handshake.ts'
import { type SessionRecord, sessionRecords } from '../src/handshake/session-records.ts'
import { KeepAlive } from '../src/keep-alive.ts'
import { LazyAbort } from '../src/lazy-abort.ts'
import { LiveStreams } from '../src/live-streams.ts'
import type { Dispatch } from '../src/methods.ts'
import { Operations } from '../src/operations.ts'
import { everything } from '../src/views.ts'

const clock = testClock()
const { store, dispose } = await subject({ clock })
await store.prepare([sessionRecords])
after(dispose)

const ann: Principal = { id: 'ann', tenantId: 'acme', kind: 'user', role: 'member' }
const records = store.collection<SessionRecord>(sessionRecords, 'acme')

/** Nodes on one store that receive each other's events at once. */
function nodes(dispatch: Dispatch = async () => '{}'): { first: Handshake; second: Handshake } {
  const heard: Map<string, Subscriber>[] = []
  const node = (): Handshake => {
    const hearers = new Map<string, Subscriber>()
    heard.push(hearers)
    const tell = async (note: RelayMessage): Promise<void> => {
      for (const other of heard) if (other !== hearers) await other.get(note.topic)?.(JSON.parse(JSON.stringify(note)))
    }
    const relay: Relay = {
      ...localRelay('node'),
      publish: (note) => void tell(note),
      publishDurably: tell,
      subscribe: (topic, hearer) => void hearers.set(topic, hearer),
    }
    const inventory = { resources: [] } as unknown as Gateway['inventory']
    const log = pino({ level: 'silent' })
    const gateway = {
      clock,
      store,
      relay,
      log,
      inventory,
      version: '1',
      onTenantBlocked() {},
      subscribe() {},
      collect: () => [],
    } as unknown as Gateway
    const operations = new Operations(new Metrics({ refs: [], tenantLabel: false, now: clock.now, warn() {} }), () => ({
      sessions: 0,
      streams: 0,
    }))
    return new Handshake(gateway, dispatch, { live: new LiveStreams(new KeepAlive()), operations })
  }
  return { first: node(), second: node() }
}

const exchange = (body: object, sessionId?: string) => ({
  principal: ann,
  sessionId,
  version: undefined,
  body: { jsonrpc: '2.0', ...body },
  requestId: 'r',
  view: everything,
  abort: new LazyAbort(),
  openStream: undefined,
})
const open = async (node: Handshake): Promise<string> => (await node.sessions.open(ann, { version: '2025-11-25', abilities: ['roots'] })).id
const ping = async (node: Handshake, sessionId: string) => (await node.post(exchange({ id: 1, method: 'ping' }, sessionId)))?.status

test('a session is served by every node, with what is set on any of them, until one ends it', async () => {
  const { first, second } = nodes()
  const id = await open(first)
  assert.equal(await ping(second, id), 200)
  await second.post(exchange({ id: 1, method: 'logging/setLevel', params: { level: 'error' } }, id))
  await new Promise(setImmediate)
  while (first.sessions.here.get(id)?.logLevel !== 'error') await new Promise(setImmediate)
  assert.equal((await first.delete({ principal: ann, sessionId: id, version: undefined }))?.status, 204)
  while (second.sessions.here.get(id) !== undefined) await new Promise(setImmediate)
  assert.deepEqual([await ping(first, id), await ping(second, id)], [404, 404])
})

test('a cancellation and an answer reach the call on whichever node it runs', { timeout: 30_000 }, async () => {
  const running = new Map<unknown, LazyAbort>()
  let begun = (): void => {}
  const arrived = new Promise<void>((resolve) => (begun = resolve))
  const { first, second } = nodes(async (_method, _params, { abort }) => {
    running.set('wait', abort)
    begun()
    await new Promise((resolve) => abort.signal.addEventListener('abort', resolve, { once: true }))
    return '{}'
  })
  const id = await open(first)
  const waiting = first.post(exchange({ id: 'c', method: 'tools/call', params: { name: 'x' } }, id))
  await arrived
  await second.post(exchange({ method: 'notifications/cancelled', params: { requestId: 'c' } }, id))
  assert.deepEqual(await waiting, { status: 202 })

  const session = first.sessions.here.get(id)
  const asked: { id?: string }[] = []
  const answered = session?.questions.ask(
    { folders: { method: 'roots/list', params: {}, needs: 'roots' } },
    { say: (message) => void asked.push(JSON.parse(message)), signal: new AbortController().signal },
  )
  await second.post(exchange({ id: asked[0]?.id, result: { roots: [] } }, id))
  assert.deepEqual(await answered, { folders: { roots: [] } })
})

test('calls write nothing; that a session is in use is written when ten minutes have gone by', { timeout: 30_000 }, async () => {
  const { first } = nodes()
  const id = await open(first)
  const expiry = async () => (await records.get(id))?.expiresAt
  const begun = await expiry()
  clock.advance(599)
  await ping(first, id)
  first.tick()
  clock.advance(1)
  await ping(first, id)
  assert.equal(await expiry(), begun)
  first.tick()
  while ((await expiry()) === begun) await new Promise(setImmediate)
  assert.equal(Date.parse((await expiry()) as string), clock.now() + 24 * 3_600_000 + 600_000)
})

test('a session whose record is gone ends at its next renewal', { timeout: 30_000 }, async () => {
  const { first } = nodes()
  const id = await open(first)
  await records.deleteOne(id)
  clock.advance(600)
  await ping(first, id)
  first.tick()
  while (first.sessions.here.get(id) !== undefined) await new Promise(setImmediate)
  assert.equal(await ping(first, id), 404)
})

test('an id that was never given out is not looked for in the store', { timeout: 30_000 }, async () => {
  const { first } = nodes()
  assert.equal(first.sessions.find('x'.repeat(36), ann), undefined)
  assert.ok(first.sessions.find('00000000-0000-4000-8000-000000000000', ann) instanceof Promise)
})

test('of too many sessions of a tenant those used longest ago go, and none of another tenant', async () => {
  const { first } = nodes()
  const other = { ...ann, tenantId: 'other' }
  const theirs = await first.sessions.open(other, { version: '2025-11-25', abilities: [] })
  await records.deleteMany({})
  const old = await open(first)
  clock.advance(60)
  const at = new Date(clock.now() + 90_000_000).toISOString()
  const record = { owner: 'ann', version: '2025-11-25', abilities: [], subscriptions: [], expiresAt: at }
  for (let thousand = 0; thousand < 10; thousand++) {
    await records.insertMany(Array.from({ length: 1_000 }, (_, n) => ({ ...record, sessionId: `s${thousand * 1_000 + n}` })))
  }
  for (let n = 0; n < 99; n++) await open(first)
  while ((await records.count({})) > 10_000) await new Promise(setImmediate)
  assert.deepEqual([await records.get(old), await records.count({})], [undefined, 10_000])
  assert.ok(await store.collection<SessionRecord>(sessionRecords, 'other').get(theirs.id))
})

test('a session can be opened while the store takes no writes', { timeout: 30_000 }, async () => {
  const { first } = nodes()
  const gone = { ...ann, tenantId: 'unwritable' }
  const { prototype } = Object.getPrototypeOf(records).constructor as { prototype: { insert: unknown } }
  const { insert } = prototype
  prototype.insert = () => Promise.reject(new Error('the disk is full'))
  try {
    const { id } = await first.sessions.open(gone, { version: '2025-11-25', abilities: [] })
    assert.ok(first.sessions.find(id, gone))
  } finally {
    prototype.insert = insert
  }
})
