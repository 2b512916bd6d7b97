import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { mapConcurrently } from '../src/bounds.ts'

/** Work whose items end when the test says so. */
function held() {
  const ends = new Map<number, { resolve(): void; reject(error: Error): void }>()
  const work = (item: number): Promise<string> =>
    new Promise((resolve, reject) => ends.set(item, { resolve: () => resolve(`done ${item}`), reject }))
  const end = async (item: number, error?: Error): Promise<void> => {
    if (error) ends.get(item)?.reject(error)
    else ends.get(item)?.resolve()
    await turn()
  }
  return { work, end, started: () => [...ends.keys()] }
}

describe('mapConcurrently', () => {
  test('starts the next item when any of those running has ended, and keeps the order', async () => {
    const { work, end, started } = held()
    const all = mapConcurrently([1, 2, 3, 4], 2, work)
    assert.deepEqual(started(), [1, 2])
    await end(2)
    assert.deepEqual(started(), [1, 2, 3])
    await end(3)
    await end(4)
    await end(1)
    assert.deepEqual(await all, ['done 1', 'done 2', 'done 3', 'done 4'])
  })

  test('throws the first failure after the end of those running, and starts no further item', async () => {
    const { work, end, started } = held()
    let outcome = 'running'
    const all = mapConcurrently([1, 2, 3, 4], 3, work).catch((error: Error) => {
      outcome = error.message
    })
    await end(2, new Error('second'))
    await end(1, new Error('first'))
    assert.equal(outcome, 'running')
    await end(3)
    await all
    assert.equal(outcome, 'second')
    assert.deepEqual(started(), [1, 2, 3])
  })

  test('treats work that throws before its first wait as failed work', async () => {
    const seen: number[] = []
    const all = mapConcurrently([1, 2], 2, (item) => {
      seen.push(item)
      throw new Error(`no ${item}`)
    })
    await assert.rejects(all, { message: 'no 1' })
    assert.deepEqual(seen, [1])
  })

  test('passes the index, and takes an empty list and a limit beyond the list', async () => {
    assert.deepEqual(await mapConcurrently(['a', 'b'], 10, async (item, index) => `${item}${index}`), ['a0', 'b1'])
    assert.deepEqual(await mapConcurrently([], 4, async () => 1), [])
  })
})
