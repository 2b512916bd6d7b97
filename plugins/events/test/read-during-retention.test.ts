import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Infer, Resolved } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { subject } from '../../../kernel/storage/test/subject.ts'
import { journal, states } from '../src/collections.ts'
import { noteRemoved } from '../src/operations/place.ts'
import { readJournal, type readUses } from '../src/operations/read.ts'

const TENANT = 'local'
const PAGE = 500

/** A journal of `length` events, from which the first `removed` go when a reader asks for page `page`. */
async function read(query: { since?: string; limit: number }, { length, removed, page }: Record<'length' | 'removed' | 'page', number>) {
  const clock = testClock()
  const { store, dispose } = await subject({ clock })
  try {
    await store.prepare([journal, states])
    const at = new Date(clock.now()).toISOString()
    const kept = store.collection<Infer<typeof journal.schema>>(journal, TENANT)
    await store.atomically(TENANT)(async (tx) => {
      for (let place = 1; place <= length; place++)
        await kept.in(tx).insert({ eventId: `event-${place}`, event: 'bell.rang', at, place, data: '{}' })
      await store.collection(states, TENANT).in(tx).insert({ journal: 'journal', last: length, removed: 0 })
    })
    let pages = 0
    const shrinking = new Proxy(kept, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (name !== 'find') return typeof member === 'function' ? member.bind(target) : member
        return async (asked: Parameters<typeof kept.find>[0]) => {
          if ((asked?.where as { place?: unknown } | undefined)?.place !== undefined && ++pages === page) {
            await noteRemoved({ states: store.collection(states, TENANT) }, removed)
            await kept.deleteMany({ place: { lte: removed } })
          }
          return target.find(asked)
        }
      },
    })
    const refs = { journal: shrinking, states: store.collection(states, TENANT), atomically: store.atomically(TENANT) }
    const { events, gap, cursor, more } = await readJournal(refs as unknown as Resolved<typeof readUses>, query)
    return { first: events[0]?.cursor, count: events.length, gap, cursor, more }
  } finally {
    await dispose()
  }
}

test('a reader whose next events are removed while it reads is told of the gap', async () => {
  const removal = { length: 100, removed: 50, page: 1 }
  assert.deepEqual(await read({ since: '10', limit: 10 }, removal), { first: '51', count: 10, gap: true, cursor: '60', more: true })
  assert.equal((await read({ since: '50', limit: 10 }, removal)).gap, false)
  assert.equal((await read({ limit: 10 }, removal)).gap, false, 'who asks for what is kept misses nothing')
  assert.deepEqual(await read({ since: '10', limit: 10 }, { ...removal, removed: 100 }), {
    first: undefined,
    count: 0,
    gap: true,
    cursor: '100',
    more: false,
  })
})

test('events that are removed between two pages of one read are a gap, also for a reader without a cursor', async () => {
  const removal = { length: PAGE + 200, removed: PAGE + 100, page: 2 }
  assert.deepEqual(await read({ limit: 2_000 }, removal), {
    first: '1',
    count: PAGE + 100,
    gap: true,
    cursor: `${PAGE + 200}`,
    more: false,
  })
})
