import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ClaimQueue, type Taken } from '../src/claims.ts'
import { DocumentQueue } from '../src/document-queue.ts'

type Take = (found: number) => Promise<number | undefined | null>

/** A queue whose claimers say themselves what they get: undefined if another process was first, null if it is too soon. */
function queueOf(read: (limit: number) => Promise<readonly number[]>, maxReads: number, limitMs: number): ClaimQueue<number, Take, number> {
  const outcome = (got: number | undefined | null): Taken<number> => {
    if (got === undefined) return 'overtaken'
    return got === null ? 'too soon' : { doc: got }
  }
  const take = async (attempts: readonly { found: number; request: Take }[]): Promise<Taken<number>[]> =>
    Promise.all(attempts.map(async ({ found, request }) => outcome(await request(found))))
  return new ClaimQueue({ read, take }, maxReads, limitMs)
}

/** A queue of numbers that other processes also take from: `overtake` says which takes they win. */
function numbers(size: number, overtake: (attempt: number) => boolean) {
  const open = new Set(Array.from({ length: size }, (_, i) => i))
  const taken: number[] = []
  const stolen: number[] = []
  let reads = 0
  let attempts = 0
  const queue = queueOf(
    async (limit) => {
      reads++
      await new Promise(setImmediate)
      return [...open].slice(0, limit)
    },
    200,
    60_000,
  )
  async function take(found: number): Promise<number | undefined> {
    const others = overtake(attempts++)
    await new Promise(setImmediate)
    if (!open.delete(found)) return undefined
    ;(others ? stolen : taken).push(found)
    return others ? undefined : found
  }
  return { claim: () => queue.claim(take, () => {}), open, taken, stolen, reads: () => reads }
}

describe('claims of one process', () => {
  test('of the same moment read the head once, and take in its order', async () => {
    const { claim, reads } = numbers(100, () => false)
    const first = claim()
    const rest = Array.from({ length: 50 }, claim)
    assert.deepEqual(await Promise.all([first, ...rest]), [...Array(51).keys()])
    assert.equal(reads(), 2)
  })

  test('beyond what is there get nothing', async () => {
    const { claim } = numbers(3, () => false)
    const got = await Promise.all(Array.from({ length: 5 }, claim))
    assert.deepEqual(got, [0, 1, 2, undefined, undefined])
  })

  test('that come during a reading wait for one that began after them', async () => {
    const { claim, open, reads } = numbers(0, () => false)
    const early = claim()
    open.add(7)
    const late = claim()
    await Promise.all([early, late])
    assert.equal(reads(), 2)
    assert.ok((await late) === 7 || (await early) === 7)
  })

  test('get each document once, and none goes away empty while one is left, whoever is faster', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 150 }),
        fc.integer({ min: 1, max: 150 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
        async (size, claimers, losses) => {
          const { claim, open, stolen } = numbers(size, (attempt) => losses[attempt] ?? false)
          const got = await Promise.all(Array.from({ length: claimers }, claim))
          const won = got.filter((one) => one !== undefined)
          assert.equal(new Set([...won, ...stolen]).size, won.length + stolen.length)
          if (won.length < claimers) assert.equal(open.size, 0)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('fail with the fault of the read, and go on after it', async () => {
    let broken = true
    const queue = queueOf(
      async () => {
        if (broken) throw new Error('away')
        return [1]
      },
      5,
      60_000,
    )
    const take = async (found: number): Promise<number> => found
    await assert.rejects(
      queue.claim(take, () => {}),
      /away/,
    )
    broken = false
    assert.equal(await queue.claim(take, () => {}), 1)
  })

  test('whose answer is lost end after the limit, and the queue goes on', async () => {
    let lost = true
    const queue = queueOf(async () => (lost ? new Promise(() => {}) : [1]), 5, 20)
    const take = async (found: number): Promise<number> => found
    await assert.rejects(
      queue.claim(take, () => {}),
      /took longer than 20 ms/,
    )
    lost = false
    await assert.rejects(
      queue.claim(
        () => new Promise(() => {}),
        () => {},
      ),
      /took longer than 20 ms/,
    )
    assert.equal(await queue.claim(take, () => {}), 1)
  })

  test('find nothing where the server’s clock has nothing due, however many this node’s clock shows', async () => {
    let reads = 0
    const read = async (limit: number): Promise<number[]> => {
      reads++
      return Array.from({ length: limit }, (_, i) => i)
    }
    const queue = queueOf(read, 5, 60_000)
    const claimed = await queue.claim(
      async () => null,
      () => {},
    )
    assert.deepEqual([claimed, reads], [undefined, 1])
  })

  test('give up when others are always faster', async () => {
    const queue = queueOf(async (limit) => Array.from({ length: limit }, (_, i) => i), 5, 60_000)
    await assert.rejects(
      queue.claim(
        async () => undefined,
        () => {},
      ),
      /faster 5 times/,
    )
  })
})

describe('changes of one document', () => {
  test('happen in the order in which they were asked, those of others beside them, also after a failure', async () => {
    const queue = new DocumentQueue(60_000)
    const done: string[] = []
    const work = (name: string, rejects: number) => async () => {
      for (let i = 0; i < rejects; i++) await new Promise(setImmediate)
      done.push(name)
      if (name === 'a1') throw new Error('fails')
    }
    await Promise.allSettled([queue.take('a', work('a1', 5)), queue.take('a', work('a2', 1)), queue.take('b', work('b1', 0))])
    assert.deepEqual(done, ['b1', 'a1', 'a2'])
  })

  test('go on after one whose answer is lost', async () => {
    const queue = new DocumentQueue(20)
    const lost = queue.take('a', () => new Promise(() => {}))
    const next = queue.take('a', async () => 'done')
    await assert.rejects(lost, /took longer than 20 ms/)
    assert.equal(await next, 'done')
  })
})
