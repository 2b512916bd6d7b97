import assert from 'node:assert/strict'
import { test } from 'node:test'
import jobHistory from '@gateway/plugin-job-history'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway } from '@gateway/testing'
import budgets from '../src/index.ts'
import { pay, spender, start, type TestGateway } from './support.ts'

const report = async (gateway: TestGateway, payload: object) => {
  const { status, json } = await gateway.inject({ method: 'POST', url: '/api/budgets/report', body: payload })
  return { status, body: json() }
}
const month = async (gateway: TestGateway, as?: object) => (await gateway.call('budgets_status', {}, as && { as })).monthToDateUsd

test('reported usage counts towards the caps that a call of its own would count for', async () => {
  await using gateway = await start({ agents: { coder: { monthlyCapUsd: 1 } }, models: { big: { dailyCapUsd: 2 } } })
  const { status, body } = await report(gateway, { model: 'big', usd: 1.5, agent: 'coder', taskId: 'task-1', account: 'max-1' })
  assert.deepEqual([status, body.counted, body.costUsd, body.priced], [201, true, 1.5, true])
  await assert.rejects(pay(gateway, { agent: 'coder', model: 'small' }), { code: 'BUDGET_EXCEEDED' })
  await pay(gateway, { model: 'big', costUsd: 0.5 })
  await assert.rejects(pay(gateway, { model: 'big' }), { code: 'BUDGET_EXCEEDED' })
  const { byAgent, byChannel } = await gateway.call('budgets_breakdown')
  assert.equal(byAgent[0].agent, 'coder')
  assert.ok(byChannel.some(({ channel }: { channel: string }) => channel === 'report'))
})

test('reported tokens are charged at the configured price of the model, those of caches at theirs', async () => {
  const prices = { big: { inputPerMTok: 1, outputPerMTok: 10, cacheReadPerMTok: 0.1, cacheWritePerMTok: 2 } }
  const api = { wire: 'openai', baseUrl: 'http://127.0.0.1:9', models: { standard: 'big' }, prices }
  const config = { providers: { providers: { api } } }
  await using gateway = await startTestGateway({ plugins: [outgoing, providers, budgets, spender], config })
  const tokens = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 2_000_000, cacheWriteTokens: 500_000 }
  assert.equal((await report(gateway, { model: 'big', ...tokens })).body.costUsd, 1 + 1 + 0.2 + 1)
  assert.deepEqual((await report(gateway, { model: 'unknown', inputTokens: 5 })).body.priced, false)
})

test('a report without tokens and cost is refused by the name of a field, and changes nothing', async () => {
  await using gateway = await start()
  for (const [payload, field] of [
    [{ model: 'big' }, 'usd'],
    [{ usd: 1 }, 'model'],
    [{ model: 'big', usd: -1 }, 'usd'],
    [{ model: 'big', inputTokens: 1.5 }, 'inputTokens'],
  ] as const) {
    const { status, body } = await report(gateway, payload)
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), new RegExp(field))
  }
  assert.equal(await month(gateway), 0)
})

test('usage of a recorded run counts once for its log file, and its run shows it', async () => {
  await using gateway = await startTestGateway({ plugins: [budgets, spender, jobHistory] })
  const run = { logFile: '/logs/1', taskId: 'task-1', usage: { model: 'big', usd: 0.25, inputTokens: 10, outputTokens: 5 } }
  for (const status of ['blocked', 'done']) await gateway.call('job_history_record', { ...run, status })
  assert.equal(await month(gateway), 0.25)
  await gateway.call('job_history_record', { logFile: '/logs/2', usage: { model: 'big', usd: 0.5 } })
  assert.equal(await month(gateway), 0.75)
  const { job } = await gateway.call('job_history_record', { logFile: '/logs/1', usage: { model: 'other', usd: 9 } })
  assert.deepEqual([job.usage.model, await month(gateway)], ['big', 0.75])
})

test('usage of a run that is refused leaves neither the run nor the money', async () => {
  await using gateway = await startTestGateway({ plugins: [budgets, spender, jobHistory] })
  const empty = gateway.call('job_history_record', { logFile: '/logs/1', usage: { model: 'big' } })
  await assert.rejects(empty, { code: 'BAD_REQUEST', message: /^`usage\.usd` or tokens/ })
  assert.deepEqual([await month(gateway), (await gateway.call('job_history_search')).total ?? 0], [0, 0])
})
