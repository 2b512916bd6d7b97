import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testClock } from '@gateway/testing'
import { turns } from '../../storage-mongodb/test/turns.ts'
import { TransactionAccess } from '../src/access.ts'
import { Writer } from '../src/writer.ts'
import { walDatabase } from './wal-database.ts'

describe('the writer', () => {
  async function opened(sync = () => Promise.resolve()) {
    const { db, reader, close } = await walDatabase()
    db.exec('create table t (a primary key, b)')
    const clock = testClock()
    const writer = new Writer(db, clock, 1_000, { sync })
    return {
      clock,
      db,
      writer,
      put: (a: number, b = '') => writer.write(() => db.run('insert into t values (?, ?)', [a, b])),
      stored: () => reader.all('select a from t order by a').map((row) => row.a),
      async close() {
        await writer.close()
        close()
      },
    }
  }

  test('writes of one turn are one commit, acknowledged after it', async () => {
    const { put, stored, close } = await opened()
    const seen: unknown[] = []
    await Promise.all([1, 2, 3].map((a) => put(a).then(() => seen.push(stored()))))
    assert.deepEqual(seen, [
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ])
    await close()
  })

  test('a write is acknowledged when its sync is done, and what comes meanwhile is the next group', async () => {
    const syncs: (() => void)[] = []
    const { put, stored, close } = await opened(() => new Promise((done) => syncs.push(done)))
    const events: string[] = []
    const log = (name: string) => () => events.push(name)
    const first = put(1).then(log('1'))
    await turns()
    const others = [put(2).then(log('2')), put(3).then(log('3'))]
    await turns()
    assert.deepEqual([events, stored()], [[], [1]])
    syncs.shift()?.()
    await first
    await turns()
    assert.deepEqual([events, stored(), syncs.length], [['1'], [1, 2, 3], 1])
    syncs.shift()?.()
    await Promise.all(others)
    assert.deepEqual(events, ['1', '2', '3'])
    await close()
  })

  test('who only looked waits for no sync of their own', async () => {
    let syncs = 0
    const { put, db, writer, close } = await opened(async () => void syncs++)
    await writer.write(() => db.run('update t set b = 1 where a = 7'))
    assert.equal(syncs, 0)
    await put(7)
    await writer.write(() => db.all('select * from t'))
    assert.equal(syncs, 1)
    await close()
  })

  test('after a sync that failed nothing is acknowledged any more', async () => {
    let disk: () => Promise<void> = () => Promise.resolve()
    const { put, writer, close } = await opened(() => disk())
    await put(1)
    disk = () => Promise.reject(new Error('EIO: i/o error, fdatasync'))
    const refused = (a: number) => assert.rejects(put(a), { code: 'UNAVAILABLE', message: /could not write: EIO/ })
    const failing = [refused(2), refused(3)]
    await turns(1)
    await Promise.all([...failing, refused(4)])
    disk = () => Promise.resolve()
    await refused(5)
    await assert.rejects(async () => writer.syncing, { code: 'UNAVAILABLE' })
    await close()
  })

  test('a group that takes long commits, and those behind it are the next group', async () => {
    const { clock, db, writer, put, stored, close } = await opened()
    const seen: unknown[] = []
    const slow = writer.write(() => {
      db.run('insert into t values (1, null)')
      clock.advance(1)
    })
    await Promise.all([slow, put(2), put(3)].map((write) => write.then(() => seen.push(stored()))))
    assert.deepEqual(seen, [[1], [1, 2, 3], [1, 2, 3]])
    await close()
  })

  test('a refused write undoes itself and nothing beside it', async () => {
    const { put, stored, close } = await opened()
    const outcomes = await Promise.allSettled([put(1), put(1), put(2)])
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(stored(), [1, 2])
    await close()
  })

  test('when the store itself fails nothing of the group is kept, and all of it is told', async () => {
    const { db, writer, put, stored, close } = await opened()
    await put(1)
    // SQLite's own quota simulates a full disk.
    const [pages] = Object.values(db.get('pragma page_count') ?? {})
    db.exec(`pragma max_page_count = ${(pages as number) + 2}`)
    const swallowing = writer.transaction(
      async () => {
        try {
          db.run('insert into t values (3, ?)', ['x'.repeat(100_000)])
        } catch (error) {
          writer.noticeFailure(error)
        }
      },
      () => {},
    )
    const outcomes = await Promise.allSettled([put(2), swallowing, put(4)])
    for (const outcome of outcomes) assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'UNAVAILABLE')
    assert.deepEqual(stored(), [1])
    await writer.write(() => stored())
    assert.match(writer.refusing?.message ?? '', /disk is full/, 'who only looks proves nothing')
    await put(5)
    assert.deepEqual([stored(), writer.refusing], [[1, 5], undefined])
    await close()
  })

  test('nor when it fails in the middle of a write of several rows', async () => {
    const { db, writer, put, stored, close } = await opened()
    await put(1)
    const [pages] = Object.values(db.get('pragma page_count') ?? {})
    db.exec(`pragma max_page_count = ${(pages as number) + 2}`)
    const insert = (a: number, b: string) => db.run('insert into t values (?, ?)', [a, b])
    const several = writer.write(() => db.whole(() => [insert(3, ''), insert(4, 'x'.repeat(100_000))]))
    const outcomes = await Promise.allSettled([put(2), several, put(5)])
    for (const outcome of outcomes) {
      assert.equal(outcome.status, 'rejected')
      assert.match(outcome.reason.message, /could not write: database or disk is full/)
    }
    assert.deepEqual(stored(), [1])
    await close()
  })

  test('nor what a transaction goes on to write', async () => {
    const { db, writer, put, stored, close } = await opened()
    await put(1)
    const [pages] = Object.values(db.get('pragma page_count') ?? {})
    db.exec(`pragma max_page_count = ${(pages as number) + 2}`)
    const transaction = writer.transaction(
      async (tx, group) => {
        const access = new TransactionAccess(writer, 't', tx, group)
        const insert = (a: number, b: string) => access.write(() => db.run('insert into t values (?, ?)', [a, b]))
        await Promise.all([insert(2, ''), insert(3, 'x'.repeat(100_000)), insert(4, '')])
      },
      () => {},
    )
    await assert.rejects(transaction, { code: 'UNAVAILABLE', message: /database or disk is full/ })
    assert.deepEqual(stored(), [1])
    await close()
  })

  test('a thousand writes at most share a commit, and none is left waiting', async () => {
    const { put, stored, close } = await opened()
    await Promise.all(Array.from({ length: 2_500 }, (_, a) => put(a)))
    assert.equal(stored().length, 2_500)
    await close()
  })

  test('work between groups finds nothing written, and what comes meanwhile waits for it', async () => {
    const { put, stored, writer, close } = await opened()
    await put(1)
    let done: () => void = () => {}
    const seen: unknown[] = []
    const between = writer.between(async () => {
      seen.push(stored())
      await new Promise<void>((resolve) => (done = resolve))
      seen.push(stored())
    })
    const after = put(2)
    await turns(10)
    done()
    await Promise.all([between, after])
    assert.deepEqual(seen, [[1], [1]])
    assert.deepEqual(stored(), [1, 2])
    const failing = writer.between(() => Promise.reject(new Error('no')))
    await Promise.all([assert.rejects(failing, /no/), put(3)])
    assert.deepEqual(stored(), [1, 2, 3])
    await close()
  })

  test('closing lets what was accepted finish and refuses what comes after', async () => {
    const { put, stored, writer, close } = await opened()
    const accepted = put(1)
    const closed = writer.close()
    await assert.rejects(put(2), { code: 'UNAVAILABLE' })
    await Promise.all([accepted, closed])
    assert.deepEqual(stored(), [1])
    await close()
  })
})
