import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testClock } from '@gateway/testing'
import { Checkpoints } from '../src/checkpoints.ts'
import { type CheckpointMode, HeavyWork } from '../src/heavy.ts'
import { Writer } from '../src/writer.ts'
import { walDatabase } from './wal-database.ts'

/** At least the number of 4 KiB pages that one write adds to the log. */
const FRAMES = 40
/** Number of commits between two checks of the log. */
const LOOK = 8

/** The thread, which records its requests and can be made to look busy. */
class Noting extends HeavyWork {
  readonly asked: CheckpointMode[] = []
  readonly #busy: boolean

  constructor(path: string, busy: boolean) {
    super(path)
    this.#busy = busy
  }

  override get idle(): boolean {
    return !this.#busy && super.idle
  }

  override checkpoint(mode: CheckpointMode): Promise<void> {
    this.asked.push(mode)
    return super.checkpoint(mode)
  }
}

describe('bringing the log into the database', () => {
  async function opened({ busy = false } = {}) {
    const { path, db, reader, close } = await walDatabase()
    db.exec('pragma wal_autocheckpoint = 0; create table t (a)')
    const heavy = new Noting(path, busy)
    const writer = new Writer(db, testClock(), 1_000, { sync: () => Promise.resolve() })
    const checkpoints = new Checkpoints(db, writer, heavy, (error) => assert.fail(error as Error), FRAMES * (LOOK - 1))
    return {
      asked: heavy.asked,
      checkpoints,
      reader,
      async write(times: number) {
        for (let n = 0; n < times; n++) {
          await writer.write(() => db.run('insert into t values (zeroblob(?))', [FRAMES * 4_096]))
          checkpoints.committed()
        }
        await checkpoints.underWay
      },
      async close() {
        await writer.close()
        await heavy.close()
        close()
      },
    }
  }

  test('begins when there is enough of it, and ends with the log begun anew', async () => {
    const { asked, write, close } = await opened()
    await write(LOOK - 1)
    assert.deepEqual(asked, [])
    await write(1)
    assert.deepEqual(asked, ['passive', 'restart'])
    await close()
  })

  test('makes no writer wait while the thread has something to read', async () => {
    const { asked, write, close } = await opened({ busy: true })
    await write(LOOK)
    assert.deepEqual(asked, ['passive'])
    await close()
  })

  test('is given up for now when it does not get ahead', async () => {
    const { asked, reader, write, close } = await opened()
    reader.exec('begin')
    reader.get('select count(*) from t')
    await write(LOOK)
    assert.deepEqual(asked, ['passive', 'passive', 'passive', 'passive'], 'the reader still needs what was there before')
    await write(LOOK - 1)
    assert.equal(asked.length, 4, 'not with every commit')
    reader.exec('commit')
    await write(1)
    assert.deepEqual(asked.slice(4), ['passive', 'restart'])
    await close()
  })

  test('ends when the store closes', async () => {
    const { asked, checkpoints, reader, write, close } = await opened()
    reader.exec('begin')
    reader.get('select count(*) from t')
    checkpoints.stop()
    await write(LOOK)
    assert.deepEqual(asked, [])
    reader.exec('commit')
    await close()
  })
})
