import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { type Collection, defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { subject } from '../../storage/test/subject.ts'
import type { SqliteOptions } from '../src/index.ts'

const logs = defineCollection('logs', {
  schema: Type.Object({ id: Type.String(), level: Type.String(), size: Type.Number(), text: Type.String() }),
  key: 'id',
  indexes: [{ keys: { level: 1 } }],
  text: ['text'],
})
/** Notes with words of their tenant in the index. */
const notes = defineCollection('notes', {
  schema: Type.Object({ id: Type.String(), level: Type.String(), text: Type.String() }),
  key: 'id',
  indexes: [{ keys: { level: 1 } }],
  text: { prepared: { text: 1 } },
})
type Note = { id: string; level: string; text: string }
type Log = { id: string; level: string; size: number; text: string }

describe('heavy work', () => {
  async function filled(count: number, options: Partial<SqliteOptions> = {}, text = 'some words') {
    const one = await subject({ clock: testClock(), ...options })
    await one.store.prepare([logs])
    const c: Collection<Log> = one.store.collection<Log>(logs, 't')
    for (let from = 0; from < count; from += 100) {
      const ids = Array.from({ length: Math.min(100, count - from) }, (_, i) => from + i)
      await Promise.all(ids.map((i) => c.insert({ id: `${i}`, level: i % 2 === 0 ? 'info' : 'warn', size: 1, text })))
    }
    return { ...one, c }
  }
  /** Threads started from now on. */
  function threads(): { readonly started: Worker[]; stop(): void } {
    const started: Worker[] = []
    const note = (worker: Worker & { readonly threadName?: string }): void => {
      // Newer runtimes name threads, and the TypeScript loader of these tests has one too.
      if ((worker.threadName ?? 'gateway-store') === 'gateway-store') started.push(worker)
    }
    process.on('worker', note)
    return { started, stop: () => void process.off('worker', note) }
  }

  test('a question of many words is looked up in the thread, however few documents there are', async () => {
    const watch = threads()
    const { store, dispose } = await subject({ clock: testClock() })
    await store.prepare([notes])
    const some: Collection<Note> = store.collection<Note>(notes, 't')
    await some.insert({ id: 'a', level: 'info', text: 'word7 and others' })
    const text = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ')
    assert.deepEqual(
      (await some.search({ text: text.slice(0, 60) })).map(({ item }) => item.id),
      ['a'],
    )
    assert.equal(watch.started.length, 0)
    assert.deepEqual(
      (await some.search({ text })).map(({ item }) => item.id),
      ['a'],
    )
    assert.equal(watch.started.length, 1)
    watch.stop()
    await dispose()
  })

  test('a small collection is read without a thread', async () => {
    const watch = threads()
    const { c, dispose } = await filled(100)
    assert.equal(await c.count(), 100)
    assert.equal((await c.search({ text: 'words' })).length, 10)
    assert.deepEqual(
      (await c.group({ by: ['level'], sum: ['size'] })).map((group) => group.sums.size),
      [50, 50],
    )
    assert.equal(watch.started.length, 0)
    watch.stop()
    await dispose()
  })

  test('tenants have the thread in turn, however many requests one has waiting', async () => {
    const { store, c, dispose } = await filled(120, { smallCollection: 1 })
    const other: Collection<Log> = store.collection<Log>(logs, 'other')
    await other.insertMany(['a', 'b'].map((id) => ({ id, level: 'info', size: 1, text: 'words' })))
    let done = 0
    const many = Array.from({ length: 60 }, () => c.count().then(() => done++))
    assert.equal(await other.count(), 2)
    assert.ok(done < 10, `${done} of the 60 requests of another tenant were answered first`)
    await Promise.all(many)
    assert.equal(done, 60)
    await dispose()
  })

  test('a store that closes refuses what still waits for the thread', async () => {
    const { c, dispose } = await filled(120, { smallCollection: 1 })
    const many = Promise.allSettled(Array.from({ length: 20 }, () => c.count()))
    await dispose()
    for (const one of await many) if (one.status === 'rejected') assert.equal(one.reason.code, 'UNAVAILABLE')
  })

  test('a large one is read in one thread, which sees every acknowledged write', async () => {
    const watch = threads()
    const { c, dispose } = await filled(120, { smallCollection: 100 })
    assert.equal(await c.count({ level: 'info' }), 60)
    for (let i = 200; i < 220; i++) {
      await c.insert({ id: `${i}`, level: 'late', size: 1, text: 'late' })
      assert.equal(await c.count({ level: 'late' }), i - 199)
    }
    assert.equal((await c.search({ text: 'late', limit: 100 })).length, 20)
    assert.equal(await c.count({ level: 'late' }, { max: 5 }), 5)
    assert.equal(watch.started.length, 1)
    watch.stop()
    await dispose()
  })

  test('a tenant that has few documents of a large collection waits for no thread', async () => {
    const watch = threads()
    const { store, dispose } = await filled(0, { smallCollection: 100 })
    await store.prepare([logs, notes])
    const noteOf = (id: string) => ({ id, level: 'info', text: `some words ${id}` })
    const few: Collection<Note> = store.collection<Note>(notes, 'few')
    const many: Collection<Note> = store.collection<Note>(notes, 'many')
    await many.insertMany(Array.from({ length: 120 }, (_, i) => noteOf(`${i}`)))
    await few.insertMany(Array.from({ length: 40 }, (_, i) => noteOf(`${i}`)))
    assert.equal(await few.count(), 40)
    assert.deepEqual(await few.group({ by: ['level'] }), [{ key: ['info'], count: 40, sums: {} }])
    const found = async (c: Collection<Note>, text: string) => (await c.search({ text, limit: 50 })).map(({ item }) => item.id)
    assert.deepEqual(await found(few, '7'), ['7'])
    assert.equal((await found(few, 'some other words')).length, 40)
    assert.deepEqual(await found(few, '70 nowhere'), [])
    assert.deepEqual(await few.search({ text: '' }), [])
    assert.equal(watch.started.length, 0)
    assert.deepEqual(await found(many, '70 nowhere'), ['70'])
    assert.equal(watch.started.length, 1)
    watch.stop()
    await dispose()
  })

  test('of words that stand in one list for all tenants a tenant with few documents reads in the thread', async () => {
    const watch = threads()
    const { store, dispose } = await filled(120, { smallCollection: 100 })
    const other: Collection<Log> = store.collection<Log>(logs, 'other')
    await other.insert({ id: 'a', level: 'info', size: 1, text: 'words' })
    assert.equal(await other.count(), 1)
    assert.equal(watch.started.length, 0)
    assert.equal((await other.search({ text: 'words' })).length, 1)
    assert.equal(watch.started.length, 1)
    watch.stop()
    await dispose()
  })

  test('an answer a dying thread owed comes from a new one', async () => {
    const watch = threads()
    const { c, dispose } = await filled(10, { smallCollection: -1 })
    const counting = c.count()
    // Counting sends its request before its first turn ends, so the thread exists and has not answered yet.
    await new Promise((resolve) => setImmediate(resolve))
    await watch.started[0]?.terminate()
    assert.equal(await counting, 10)
    assert.equal(await c.count(), 10)
    assert.equal(watch.started.length, 2)
    watch.stop()
    await dispose()
  })

  test('closing answers what was asked before it', async () => {
    const { c, store, dispose } = await filled(10, { smallCollection: -1 })
    const counting = c.count()
    await new Promise((resolve) => setImmediate(resolve))
    await store.close()
    assert.equal(await counting, 10)
    await assert.rejects(c.count(), { code: 'UNAVAILABLE' })
    await dispose()
  })

  test('a filter that is refused is refused before any thread hears of it', async () => {
    const { c, dispose } = await filled(1, { smallCollection: -1 })
    await assert.rejects(c.count({ level: { like: 'x' } } as never), { code: 'BAD_REQUEST' })
    await dispose()
  })

  test('the write-ahead log is brought into the database while the store runs', { timeout: 60_000 }, async ({ signal }) => {
    const { store, dispose } = await filled(2_000, { checkpointFrames: 2_000 }, 'x'.repeat(8_000))
    let { fileBytes } = await store.health()
    while ((fileBytes as number) < 8_000_000) {
      await pause(10, undefined, { signal })
      fileBytes = (await store.health()).fileBytes
    }
    await dispose()
  })
})
