import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { testClock } from '@gateway/sdk/testing'
import { Connection } from '../../src/storage/sqlite/connection.ts'
import { loadDriver } from '../../src/storage/sqlite/driver.ts'
import { Writer } from '../../src/storage/sqlite/writer.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('the writer', () => {
  async function opened() {
    const folder = temporaryFolder()
    const driver = await loadDriver()
    const path = join(folder.path, 'a.db')
    const db = new Connection(driver.open(path))
    db.exec('pragma journal_mode = wal; create table t (a primary key, b)')
    const reader = new Connection(driver.open(path, { readOnly: true }))
    const clock = testClock()
    const writer = new Writer(db, clock, 1_000)
    return {
      clock,
      db,
      writer,
      put: (a: number, b = '') => writer.write(() => db.run('insert into t values (?, ?)', [a, b])),
      stored: () => reader.all('select a from t order by a').map((row) => row.a),
      async close() {
        await writer.close()
        reader.close()
        db.close()
        folder.remove()
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
    // SQLite’s own quota stands for a full disk.
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
    await put(5)
    assert.deepEqual(stored(), [1, 5])
    await close()
  })

  test('a thousand writes at most share a commit, and none is left waiting', async () => {
    const { put, stored, close } = await opened()
    await Promise.all(Array.from({ length: 2_500 }, (_, a) => put(a)))
    assert.equal(stored().length, 2_500)
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
