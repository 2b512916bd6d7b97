import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import agents from '@gateway/plugin-agents'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import budgets from '../src/index.ts'

// Prices of 0.075 and 0.3 USD per million tokens, which no float adds up exactly.
const PRICE = { inputPerMTok: 0.075, outputPerMTok: 0.3 }
const NANOS = { input: 75, output: 300 }

/** A model whose answers have different costs, and which remembers their sum. */
async function dearModel() {
  const told = { calls: 0, nanos: 0 }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const usage = { prompt_tokens: 1 + ((told.calls * 7_919) % 10_007), completion_tokens: 1 + ((told.calls * 104_729) % 4_001) }
      told.calls++
      told.nanos += usage.prompt_tokens * NANOS.input + usage.completion_tokens * NANOS.output
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }], usage }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    told,
    provider: { wire: 'openai', baseUrl, models: { standard: 'm', premium: 'm' }, prices: { m: PRICE } },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
const invoke = (gateway: TestGateway) => gateway.call('agents_invoke', { agent: 'planner', message: 'Plan.', maxTokens: 4_000 })

test('a thousand agents invoked at once: what is spent is the provider’s tokens times their price, exactly, in rows and sums', async () => {
  await using model = await dearModel()
  await using gateway = await startTestGateway({
    plugins: [outgoing, providers, agents, budgets],
    // A burst of a minute's calls, all of which may come at once.
    config: { providers: { providers: { local: model.provider }, requestsPerMinute: 100_000 }, budgets: { monthlyCapUsd: 1_000 } },
  })
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => invoke(gateway)))
  assert.equal(model.told.calls, 1_000)
  const { monthToDateUsd, heldUsd } = await gateway.call('budgets_status')
  assert.deepEqual([monthToDateUsd, heldUsd], [model.told.nanos / 1e9, 0])
  const { totalUsd, calls } = await gateway.call('budgets_breakdown')
  assert.deepEqual([totalUsd, calls], [model.told.nanos / 1e9, 1_000])
  const paid = answers.reduce((sum, { usage }) => sum + Math.round(usage.costUsd * 1e9), 0)
  assert.equal(paid, model.told.nanos, 'each was told what it cost')
})

test('of fifty agents invoked at once a cap lets in those whose greatest prices reach it, and refuses the others before they ask', async () => {
  await using model = await dearModel()
  await using gateway = await startTestGateway({
    plugins: [outgoing, providers, agents, budgets],
    config: { providers: { providers: { local: model.provider } }, budgets: { monthlyCapUsd: 0.01, downgradeAt: 1 } },
  })
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => invoke(gateway)))
  const served = outcomes.filter(({ status }) => status === 'fulfilled').length
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
  assert.deepEqual(new Set(refusals), new Set(['BUDGET_EXCEEDED']))
  assert.equal(model.told.calls, served)
  // The greatest price of a call: 4,000 tokens of answer, and a prompt of less than 1,000.
  const greatest = (4_000 * NANOS.output + 1_000 * NANOS.input) / 1e9
  assert.ok((served - 1) * greatest < 0.01 + greatest && served >= Math.floor(0.01 / greatest), `${served} served`)
  assert.equal((await gateway.call('budgets_status')).monthToDateUsd, model.told.nanos / 1e9)
})

test('tokens of caches count against budgets at the price that is set for them', async () => {
  const details = { cached_tokens: 8_000, cache_write_tokens: 1_000 }
  const usage = { prompt_tokens: 10_000, completion_tokens: 100, prompt_tokens_details: details }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }], usage }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const prices = { m: { inputPerMTok: 3, outputPerMTok: 15, cacheReadPerMTok: 0.3, cacheWritePerMTok: 3.75 } }
    const local = { wire: 'openai', baseUrl, models: { standard: 'm', premium: 'm' }, prices }
    await using gateway = await startTestGateway({
      plugins: [outgoing, providers, agents, budgets],
      config: { providers: { providers: { local } }, budgets: { monthlyCapUsd: 1 } },
      env: { ADMIN_API_TOKEN: 'admin-token-of-this-test' },
    })
    await invoke(gateway)
    // 1,000 tokens at 3, 8,000 at 0.3, 1,000 at 3.75 and 100 at 15 USD a million.
    assert.equal((await gateway.call('budgets_status')).monthToDateUsd, 0.01065)
    const headers = { 'x-admin-token': 'admin-token-of-this-test' }
    const [row] = (await gateway.inject({ method: 'GET', url: '/api/budgets/usage', headers })).json().rows
    assert.deepEqual([row.inputTokens, row.cacheReadTokens, row.cacheWriteTokens, row.costUsd], [10_000, 8_000, 1_000, 0.01065])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
