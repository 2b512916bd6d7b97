import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, countingProvider, KINDS, type Kind, nanosOf } from './counting-provider.ts'
import { post, provider, start, type TestGateway, until } from './support.ts'

const CALLS = 300
const AT_ONCE = 60
const CAP_USD = 0.1
const MAX_TOKENS = 100

/** Makes a call and takes its answer as its kind says. Returns the status, and whether a stream was whole. */
async function take(gateway: TestGateway, kind: Kind, tokens: number): Promise<number> {
  const leaving = new AbortController()
  const response = await post(gateway, 'messages', callOf(kind, tokens), { signal: leaving.signal })
  if (kind === 'leaves' && response.status === 200) {
    await response.body?.getReader().read()
    leaving.abort()
    return response.status
  }
  const text = await response.text()
  if (response.status === 200 && kind === 'streamed') assert.match(text, /message_stop|billing_error/)
  return response.status
}

test('hundreds of concurrent calls, some of whose clients leave, spend a cap and no more, and every token is counted', async () => {
  await using up = await countingProvider()
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) }, { monthlyCapUsd: CAP_USD })
  const statuses = new Set<number>()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < CALLS) {
      const n = next++
      statuses.add(await take(gateway, KINDS[n % KINDS.length] ?? 'whole', 20 + (n % MAX_TOKENS)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const status = async () => gateway.call('budgets_status')
  // A client that left is charged a moment later.
  await until(async () => (await status()).heldUsd === 0)
  while ((await take(gateway, 'whole', MAX_TOKENS)) === 200);
  assert.deepEqual([...statuses].sort(), [200, 402])
  const { monthToDateUsd, heldUsd } = await status()
  const { calls, totalUsd, byModel } = await gateway.call('budgets_breakdown')
  const [{ inputTokens, outputTokens }] = byModel
  assert.deepEqual({ calls, inputTokens, outputTokens }, up.counted)
  assert.deepEqual([Math.round(totalUsd * 1e9), Math.round(monthToDateUsd * 1e9)], [nanosOf(up.counted), nanosOf(up.counted)])
  const mostOfACall = 0.002
  assert.ok(monthToDateUsd >= CAP_USD && monthToDateUsd < CAP_USD + mostOfACall, `${monthToDateUsd} USD of ${CAP_USD}`)
  assert.equal(heldUsd, 0)
})
