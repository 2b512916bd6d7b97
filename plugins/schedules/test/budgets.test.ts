import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import agents from '@gateway/plugin-agents'
import budgets from '@gateway/plugin-budgets'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway } from '@gateway/testing'
import schedules from '../src/index.ts'
import { create, get, MINUTE, owner, runNow, tick } from './support.ts'

/** A model each of whose answers costs 1 USD. */
async function dearModel() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const usage = { prompt_tokens: 0, completion_tokens: 1_000 }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }], usage }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    provider: {
      wire: 'openai',
      baseUrl,
      models: { standard: 'm', premium: 'm' },
      prices: { m: { inputPerMTok: 0, outputPerMTok: 1_000 } },
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the cap of a key holds for the runs of its schedules, by the clock and on request', async () => {
  await using model = await dearModel()
  await using gateway = await startTestGateway({
    plugins: [outgoing, providers, agents, budgets, schedules],
    config: {
      providers: { providers: { local: model.provider } },
      budgets: { keys: { ci: { dailyCapUsd: 2 } }, downgradeAt: 1 },
    },
  })
  await gateway.tenants.create({ name: 'Acme', plan: 'scale', tenantId: 'acme' })
  const { keyId } = await gateway.tenants.issueKey('acme', { role: 'admin', environment: 'live', label: 'ci' })
  const key = { id: `key:${keyId}`, kind: 'api-key', role: 'admin', tenantId: 'acme', label: 'ci' } as const
  const order = { kind: 'agent', target: 'planner', message: 'Plan.' }
  const schedule = await create(gateway, order, { as: key })
  const spent = async () => (await gateway.call('budgets_status', {}, { as: owner })).caps[0].spentUsd
  assert.equal((await runNow(gateway, schedule, { as: owner })).lastStatus, 'success')
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  assert.deepEqual([(await get(gateway, schedule, { as: owner })).lastStatus, await spent()], ['success', 2])
  for (const as of [key, owner]) assert.match((await runNow(gateway, schedule, { as })).lastError ?? '', /keys\.ci\.dailyCapUsd/)
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  assert.match((await get(gateway, schedule, { as: owner })).lastError ?? '', /keys\.ci\.dailyCapUsd/)
  assert.equal(await spent(), 2)
})
