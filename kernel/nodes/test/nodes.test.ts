import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Unavailable } from '@gateway/sdk'
import { type TestClock, testClock } from '@gateway/testing'
import { pino } from 'pino'
import type { Relay, RelayMessage } from '../../core/src/ports/relay.ts'
import { KERNEL_TENANT } from '../../storage/src/kernel-tenant.ts'
import type { Store } from '../../storage/src/port.ts'
import { subject } from '../../storage/test/subject.ts'
import type { SqliteStore } from '../../storage-sqlite/src/index.ts'
import { bundles, type NodeRecord, nodeCollections, nodeRecords } from '../src/collections.ts'
import { FolderCopies } from '../src/folder-copies.ts'
import { openPresence } from '../src/presence.ts'
import { openSharedRelay } from '../src/shared-relay.ts'

const log = pino({ level: 'silent' })
const note = (data: unknown): RelayMessage => ({ topic: 'news', tenantId: 'acme', data })

let store: SqliteStore
let clock: TestClock
let dispose: () => Promise<void>
const relays: Relay[] = []
beforeEach(async () => {
  clock = testClock()
  const made = await subject({ clock })
  store = made.store
  dispose = made.dispose
  await store.prepare(nodeCollections)
})
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop()
  await dispose()
})

async function node(nodeId: string, on: Store = store): Promise<{ relay: Relay; heard: unknown[] }> {
  const relay = await openSharedRelay({ store: on, nodeId, log })
  relays.push(relay)
  const heard: unknown[] = []
  relay.subscribe('news', ({ data }) => void heard.push(data))
  return { relay, heard }
}

describe('what nodes tell one another', () => {
  it('is heard by every other node, once, in the order in which it was told', async () => {
    const [a, b, c] = [await node('a'), await node('b'), await node('c')]
    for (let i = 0; i < 3; i++) await (i === 1 ? b : a).relay.publishDurably(note(i))
    for (const { relay } of [a, b, c]) await Promise.all([relay.catchUp(), relay.catchUp()])
    assert.deepEqual([a.heard, b.heard, c.heard], [[1], [0, 2], [0, 1, 2]])
  })

  it('is not heard by a node that came later', async () => {
    const a = await node('a')
    await a.relay.publishDurably(note('early'))
    const late = await node('late')
    await late.relay.catchUp()
    assert.deepEqual(late.heard, [])
  })

  it('in a transaction is heard when it is committed, and never when it is not', async () => {
    const [a, b] = [await node('a'), await node('b')]
    const atomically = store.atomically(KERNEL_TENANT)
    await assert.rejects(
      atomically(async (tx) => {
        await a.relay.publishInTransaction(tx, note('undone'))
        throw new Error('rolled back')
      }),
      /rolled back/,
    )
    await atomically((tx) => a.relay.publishInTransaction(tx, note('done')))
    await b.relay.catchUp()
    assert.deepEqual(b.heard, ['done'])
  })

  it('in one turn goes in one bundle', async () => {
    const [a, b] = [await node('a'), await node('b')]
    for (let i = 0; i < 50; i++) a.relay.publish(note(i))
    await a.relay.stop()
    await b.relay.catchUp()
    assert.equal(b.heard.length, 50)
    assert.equal(await store.collection(bundles, KERNEL_TENANT).count(), 1)
  })

  it('is waited for by whoever asks while a look is under way that began before it', async () => {
    const [a, b] = [await node('a'), await node('b')]
    const before = b.relay.catchUp()
    await a.relay.publishDurably(note('now'))
    await Promise.all([before, b.relay.catchUp()])
    assert.deepEqual(b.heard, ['now'])
  })

  it('and went by unheard lets a node forget what it remembers, and go on', async () => {
    const [a, b] = [await node('a'), await node('b')]
    let forgot = 0
    b.relay.onGap(() => void forgot++)
    await a.relay.publishDurably(note('missed'))
    clock.advance(3_601)
    await store.sweepExpired()
    await b.relay.catchUp()
    await a.relay.publishDurably(note('next'))
    await b.relay.catchUp()
    assert.deepEqual([forgot, b.heard], [1, ['next']])
  })

  it('cannot be heard without the store, which is said, and is heard when the store is back', async () => {
    let gone = false
    const flaky: Store = new Proxy(store, {
      get(target, name) {
        if (gone && name === 'collection') throw Unavailable({ message: 'The store is away.' })
        const value = Reflect.get(target, name, target) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const [a, b] = [await node('a'), await node('b', flaky)]
    gone = true
    await a.relay.publishDurably(note('meanwhile'))
    await assert.rejects(async () => b.relay.catchUp(), { code: 'UNAVAILABLE' })
    gone = false
    await b.relay.catchUp()
    assert.deepEqual(b.heard, ['meanwhile'])
  })
})

describe('which nodes live', () => {
  it('those that said so of late, by the store’s clock; one that leaves says so', async () => {
    const a = await openPresence({ store, nodeId: 'a', log })
    clock.advance(30)
    const b = await openPresence({ store, nodeId: 'b', log })
    assert.deepEqual(new Set(await b.alive()), new Set(['a', 'b']))
    const listed = await b.list()
    assert.deepEqual(listed.map(({ nodeId, pid, self }) => [nodeId, pid, self]).sort(), [
      ['a', process.pid, false],
      ['b', process.pid, true],
    ])
    clock.advance(11)
    assert.deepEqual(await b.alive(), ['b'])
    await b.stop()
    assert.deepEqual(await a.alive(), [])
    await a.stop()
  })

  it('on copies of one data folder is refused on this machine, but not the next process after one that was killed', async () => {
    const records = store.collection<NodeRecord>(nodeRecords, KERNEL_TENANT)
    const other = (nodeId: string, pid: number, host = hostname(), folderPath = '/copy'): NodeRecord => {
      const [startedAt, aliveUntil] = [0, 40].map((s) => new Date(clock.now() + s * 1_000).toISOString()) as [string, string]
      return { nodeId, host, pid, startedAt, aliveUntil, folder: 'f', folderPath }
    }
    const dead = spawnSync(process.execPath, ['--version']).pid
    await records.insert(other('killed', dead))
    await records.insert(other('elsewhere', process.ppid, 'another-host'))
    // A killed process on the same folder, whose number another process has by now.
    await records.insert(other('before', process.ppid, hostname(), '/data'))
    const folder = { id: 'f', path: '/data' }
    const b = await openPresence({ store, nodeId: 'b', log, folder })
    assert.ok((await b.list()).every((node) => !('folder' in node || 'folderPath' in node)))
    await b.stop()
    await records.insert(other('living', process.ppid))
    await assert.rejects(
      openPresence({ store, nodeId: 'c', log, folder }),
      new RegExp(`The gateway of process ${process.ppid} on .* has the same node\\.id.*move \`node\\.id\` and \`audit\` out of its folder`),
    )
    await (await openPresence({ store, nodeId: 'd', log, folder: { ...folder, id: 'g' } })).stop()
  })

  it('on copies of one data folder is logged once, when the other renews its heartbeat', () => {
    const logged: string[] = []
    const copies = new FolderCopies('a', { id: 'f', path: '/data' }, pino({}, { write: (line) => void logged.push(line) }))
    const seen = (aliveUntil: string, folder = 'f') => copies.look([{ nodeId: 'b', host: 'h', pid: 2, startedAt: '', aliveUntil, folder }])
    for (const until of ['2026-01-01T00:00:40.000Z', '2026-01-01T00:00:40.000Z']) seen(until)
    assert.deepEqual(logged, [], 'a killed process renews nothing')
    for (const until of ['2026-01-01T00:00:50.000Z', '2026-01-01T00:01:00.000Z']) seen(until)
    assert.equal(logged.length, 1)
    seen('2026-01-01T00:01:10.000Z', 'g')
    assert.equal(logged.length, 1)
  })
})
