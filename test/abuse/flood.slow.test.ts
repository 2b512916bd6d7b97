import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Memory } from '../crash/gateway/spawn.ts'
import { type BadRequest, badRequests } from './bad-requests.ts'
import { assertServes, runGateway } from './running.ts'
import { ask, isLast, Wire } from './wire.ts'

const WARM_UP = 20_000
const REQUESTS = 100_000
const CONNECTIONS = 16
const PIPELINED = 50
const MIB = 2 ** 20

it(`${REQUESTS} bad requests are each refused, change nothing, and leave the memory as it was`, { timeout: 300_000 }, async () => {
  const running = await runGateway()
  try {
    const contents = running.contents()
    await flood(running.url, WARM_UP)
    const before = await running.gateway.memory()
    await flood(running.url, REQUESTS - WARM_UP)
    assertFlat(before, await running.gateway.memory())
    await assertServes(running.url)
    assert.deepEqual(running.contents(), contents)
  } finally {
    await running.stop()
  }
})

/** Batches of pipelined requests; each ends with one whose answer closes the connection. */
async function flood(url: string, requests: number): Promise<void> {
  const { staying, closing } = await sortByEnd(url)
  let left = requests
  const hammer = async (n: number): Promise<void> => {
    for (let at = n; left > 0; at++) {
      const batch = Array.from({ length: PIPELINED }, (_, k) => pick(staying, at * PIPELINED + k)).concat(pick(closing, at))
      left -= batch.length
      const wire = await Wire.open(url)
      wire.send(batch.map(({ bytes }) => bytes).join(''))
      const answers = await wire.answers(batch.length)
      assert.deepEqual(
        answers.map(({ status }) => status),
        batch.map(({ status }) => status),
      )
      wire.close()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => hammer(n)))
}

async function sortByEnd(url: string): Promise<{ staying: readonly BadRequest[]; closing: readonly BadRequest[] }> {
  const small = badRequests.filter(({ bytes }) => bytes.length < 2_000)
  const ends = await Promise.all(small.map(async ({ bytes }) => isLast((await ask(url, bytes)) ?? assert.fail('no answer'))))
  return { staying: small.filter((_, n) => !ends[n]), closing: small.filter((_, n) => ends[n]) }
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] ?? assert.fail('an empty list')

/**
 * The limit is less than a small object kept per request. The resident set also holds memory that the allocator has not returned.
 */
function assertFlat(before: Memory, after: Memory): void {
  const grown = { heap: (after.heapUsed - before.heapUsed) / MIB, rss: (after.rss - before.rss) / MIB }
  assert.ok(grown.heap < 8, `the heap grew by ${grown.heap.toFixed(1)} MiB`)
  assert.ok(grown.rss < 128, `the resident set grew by ${grown.rss.toFixed(1)} MiB`)
}
