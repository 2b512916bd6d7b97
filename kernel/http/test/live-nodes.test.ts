import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, before, test } from 'node:test'
import { defineCollection, type Principal, Type } from '@gateway/sdk'
import { type Store, watched } from '@gateway/storage'
import { testClock } from '@gateway/testing'
import { pino } from 'pino'
import { nodeCollections } from '../../nodes/src/collections.ts'
import { openSharedRelay } from '../../nodes/src/shared-relay.ts'
import { subject } from '../../storage/test/subject.ts'
import { LiveChanges } from '../src/live/live-changes.ts'
import type { Watcher } from '../src/live/watchers.ts'

const books = defineCollection('shelves.books', { schema: Type.Object({ bookId: Type.String() }), key: 'bookId' })
const clock = testClock()
const caller: Principal = { id: 'u', kind: 'user', role: 'admin', tenantId: 'acme' }
/** Pages that show only the books. */
const isWatched = (collection: string) => collection === 'shelves.books'

let made: Awaited<ReturnType<typeof subject>>
before(async () => {
  made = await subject({ clock })
  await made.store.prepare([books, ...nodeCollections])
})
after(() => made.dispose())

/** A separate node on the shared store: whether it subscribes to its store, and the events of a dashboard open on it. */
async function node(nodeId: string) {
  const relay = await openSharedRelay({ store: made.store, nodeId, log: pino({ level: 'silent' }) })
  const seen = new EventEmitter()
  const inner = watched(made.store)
  const store: Store = {
    ...inner,
    changes: {
      listen(listener) {
        const end = inner.changes?.listen(listener)
        seen.emit('listens')
        return () => {
          end?.()
          seen.emit('rests')
        }
      },
      announce() {},
    },
  }
  const live = new LiveChanges({ store, relay, clock, subscribe() {} }, isWatched)
  const watcher: Watcher = {
    caller,
    full: false,
    watches: isWatched,
    notify: (event, data) => void seen.emit('told', { event, data }),
    end() {},
    cut() {},
  }
  const end = async (): Promise<void> => {
    live.stop()
    await relay.stop()
  }
  return { books: store.collection(books, 'acme'), relay, live, watcher, seen, end }
}

test('what is written on one node is told to a dashboard on another, for as long as one is open there', async () => {
  // Their timers keep no process alive.
  const alive = setInterval(() => {}, 1_000)
  const [a, b] = [await node('a'), await node('b')]
  for (const { relay } of [a, b]) relay.start()
  const begun = once(b.seen, 'told')
  b.live.add(b.watcher)
  await begun
  const told = once(b.seen, 'told')
  await a.books.insert({ bookId: 'one' })
  assert.deepEqual(await told, [{ event: 'changed', data: { collections: ['shelves.books'] } }])

  b.live.remove(b.watcher)
  clock.advance(100)
  const rests = once(a.seen, 'rests')
  await a.books.insert({ bookId: 'two' })
  await rests
  await Promise.all([a.end(), b.end()])
  clearInterval(alive)
})

test('what is written on one node before it knows of a dashboard on another makes that one load again', async () => {
  const alive = setInterval(() => {}, 1_000)
  const [a, b] = [await node('c'), await node('d')]
  b.relay.start()
  b.live.add(b.watcher)
  await a.books.insert({ bookId: 'early' })
  const told = once(b.seen, 'told')
  a.relay.start()
  assert.deepEqual(await told, [{ event: 'lost', data: {} }])
  await Promise.all([a.end(), b.end()])
  clearInterval(alive)
})
