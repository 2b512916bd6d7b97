import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { closed, defineCollection, type Principal, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { pino } from 'pino'
import { nodeCollections } from '../../../nodes/src/collections.ts'
import { openSharedRelay } from '../../../nodes/src/shared-relay.ts'
import { watched } from '../../../storage/src/watched.ts'
import { subject } from '../../../storage/test/subject.ts'
import { TokenMemory } from '../../src/tenancy/token-memory.ts'

const grants = defineCollection('test.grants', { schema: Type.Object({ id: Type.String(), n: Type.Integer() }, closed), key: 'id' })
type Grant = { id: string; n: number }
const principal: Principal = { id: 'key:k', kind: 'api-key', role: 'viewer', tenantId: 'acme', scopes: ['read'] }
const clock = testClock()

let made: Awaited<ReturnType<typeof subject>>
before(async () => {
  made = await subject({ clock })
  await made.store.prepare([grants, ...nodeCollections])
})
after(() => made.dispose())

/** A separate node on the shared store, which receives all messages before each call. */
async function node(nodeId: string) {
  const relay = await openSharedRelay({ store: made.store, nodeId, log: pino({ level: 'silent' }) })
  const store = watched(made.store)
  const docs = store.collection<Grant>(grants, 'acme')
  const shared = { shared: true, ...(store.changes && { changes: store.changes }) }
  const memory = new TokenMemory({ store: shared, relay, clock, stands: () => true, collections: [grants] })
  const state = { checks: 0 }
  const until = new Date(clock.now() + 3_600_000).toISOString()
  async function call(id: string): Promise<boolean> {
    await relay.catchUp()
    const found = await memory.of('acme', id, async () => {
      state.checks++
      return (await docs.get(id)) && { principal, isLifted: false, holds: { until } }
    })
    return found !== undefined
  }
  return { docs, state, call, atomically: store.atomically('acme') }
}

test('a token that is revoked at one node is refused at the next call of every node, and costs no read until then', async () => {
  const [a, b] = [await node('a'), await node('b')]
  for (const id of ['one', 'two']) await a.docs.insert({ id, n: 1 })
  for (let i = 0; i < 3; i++) for (const each of [a, b]) assert.equal(await each.call('one'), true)
  assert.deepEqual([a.state.checks, b.state.checks], [1, 1])
  await a.docs.deleteOne('one')
  assert.deepEqual([await b.call('one'), await a.call('one')], [false, false])

  assert.equal(await b.call('two'), true)
  await b.atomically(async (tx) => {
    await b.docs.in(tx).updateOne('two', { inc: { n: 1 } })
    await b.docs.in(tx).deleteOne('two')
  })
  assert.deepEqual([await a.call('two'), await b.call('two')], [false, false])
})

test('a change that is undone is announced to no node', async () => {
  const [a, b] = [await node('c'), await node('d')]
  await a.docs.insert({ id: 'kept', n: 1 })
  assert.equal(await b.call('kept'), true)
  const undone = a.atomically(async (tx) => {
    await a.docs.in(tx).deleteOne('kept')
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.equal(await b.call('kept'), true)
  assert.equal(b.state.checks, 1)
})

test('where several nodes write, a token is checked again after a minute: a node of an earlier version announces nothing', async () => {
  const a = await node('e')
  await a.docs.insert({ id: 'old', n: 1 })
  await a.call('old')
  // A write past the announcements.
  await made.store.collection<Grant>(grants, 'acme').deleteOne('old')
  clock.advance(59)
  assert.equal(await a.call('old'), true)
  clock.advance(1)
  assert.equal(await a.call('old'), false)
})
