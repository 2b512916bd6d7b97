import assert from 'node:assert/strict'
import { it } from 'node:test'
import { badRequests } from './bad-requests.ts'
import type { Memory } from '../crash/gateway/spawn.ts'
import { assertServes, runGateway } from './running.ts'
import { Wire } from './wire.ts'

const WARM_UP = 20_000
const REQUESTS = 100_000
const CONNECTIONS = 16
const PIPELINED = 50
const MIB = 2 ** 20

const small = badRequests.filter(({ bytes }) => bytes.length < 2_000)

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

async function flood(url: string, requests: number): Promise<void> {
  let left = requests
  const hammer = async (): Promise<void> => {
    const wire = await Wire.open(url)
    while (left > 0) {
      const first = left
      const bad = Array.from({ length: Math.min(PIPELINED, left) }, (_, n) => small[(first + n) % small.length] ?? assert.fail())
      left -= bad.length
      wire.send(Buffer.from(bad.map(({ bytes }) => bytes).join(''), 'latin1'))
      const answers = await wire.answers(bad.length)
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body?.code]),
        bad.map(({ status, code }) => [status, code]),
      )
    }
    wire.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, hammer))
}

/** Less than a small object kept per request. The resident set also holds what the allocator has not given back. */
function assertFlat(before: Memory, after: Memory): void {
  const grown = { heap: (after.heapUsed - before.heapUsed) / MIB, rss: (after.rss - before.rss) / MIB }
  assert.ok(grown.heap < 8, `the heap grew by ${grown.heap.toFixed(1)} MiB`)
  assert.ok(grown.rss < 128, `the resident set grew by ${grown.rss.toFixed(1)} MiB`)
}
