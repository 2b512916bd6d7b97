import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const AS_RUNNER = { as: { kind: 'api-key', id: 'key:k1', label: 'build-machine', role: 'member' } } as const
const CALL_USD = (1_000 + 100 * 10) / 1e6
const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
}
const models = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER)))
})
let gateway: TestGateway
before(async () => {
  await new Promise<void>((resolve) => models.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(models.address() as AddressInfo).port}`
  const prices = { 'model-s': { inputPerMTok: 1, outputPerMTok: 10 } }
  const api = { wire: 'openai', baseUrl, apiKey: 'key-of-the-provider', models: { standard: 'model-s' }, prices }
  const keys = { 'build-machine': { monthlyCapUsd: 100 }, capped: { monthlyCapUsd: CALL_USD } }
  const agents = { coder: { monthlyCapUsd: 100 } }
  const budgets = { keys, agents, tasks: { '*': { monthlyCapUsd: 100 } }, swarms: { '*': { monthlyCapUsd: 100 } } }
  gateway = await startTestGateway({ plugins: standardPlugins, config: { providers: { providers: { api } }, budgets }, listen: true })
})
after(async () => {
  await gateway.stop()
  models.closeAllConnections()
  models.close()
})

/** A claimed task of a swarm, with a key for its agent. */
async function work(more: object = { agent: 'coder' }, as: object = AS_RUNNER) {
  const { swarm } = await gateway.call('swarm_plan', { repo: 'web', goal: 'Ship it', children: [{ title: 'A child' }] })
  await gateway.call('swarm_approve', { swarmId: swarm.swarmId })
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'm1/primary/1', repo: 'web', leaseSeconds: 600 })
  const { taskId, claimId } = task
  const { apiKey } = await gateway.call('runners.issue-key', { taskId, claimId, ...more }, as)
  const call = (path: string, headers: object = {}, body?: object, method = 'POST') =>
    fetch(`${gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'x-forwarded-for': '10.0.0.1', ...headers },
      ...(method === 'POST' && {
        body: JSON.stringify(body ?? { model: 'model-s', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 100 }),
      }),
    })
  return { taskId, swarmId: swarm.swarmId as string, call }
}
const spentOf = async (cap: string): Promise<number | undefined> => {
  const { caps = [] } = await gateway.call('budgets_status')
  return caps.find((one: { cap: string }) => one.cap === cap)?.spentUsd
}

test('the agent of a task calls models with its key, and the budgets of the task, its swarm, its agent and the runner’s key count each call', async () => {
  const { taskId, swarmId, call } = await work()
  const before = await Promise.all([spentOf('keys.build-machine.monthlyCapUsd'), spentOf('agents.coder.monthlyCapUsd')])
  const input = { model: 'model-s', input: 'Hi', max_output_tokens: 100 }
  for (const [path, body] of [['chat/completions'], ['messages'], ['messages?beta=true'], ['responses', input]] as const) {
    const response = await call(`/v1/${path}`, {}, body)
    assert.equal(response.status, 200, `${path}: ${await response.text()}`)
  }
  const caps = [`tasks.*.monthlyCapUsd of ${taskId}`, `swarms.*.monthlyCapUsd of ${swarmId}`]
  assert.deepEqual(await Promise.all(caps.map(spentOf)), [4 * CALL_USD, 4 * CALL_USD])
  const now = await Promise.all([spentOf('keys.build-machine.monthlyCapUsd'), spentOf('agents.coder.monthlyCapUsd')])
  assert.deepEqual(
    now.map((spent = 0, at) => Math.round((spent - (before[at] ?? 0)) * 1e9)),
    [4 * CALL_USD * 1e9, 4 * CALL_USD * 1e9],
  )
  assert.equal((await call('/v1/messages/count_tokens')).status, 200)
  const listed = (await (await call('/v1/models?limit=5', {}, undefined, 'GET')).json()) as { data: { id: string }[] }
  assert.ok(listed.data.some(({ id }) => id === 'model-s'))
  assert.equal((await call('/v1/models/model-s', {}, undefined, 'GET')).status, 200)
})

test('a call with the key of a task is for that task and agent, whatever its headers name, and its address can name no others', async () => {
  const { taskId, call } = await work()
  const other = (await gateway.call('tasks_create', { repo: 'other', title: 'Another task' })).task.taskId
  assert.equal((await call('/v1/chat/completions', { 'x-gateway-task': other, 'x-gateway-agent': 'somebody' })).status, 200)
  assert.equal((await call(`/v1/chat/completions?taskId=${taskId}&agent=coder`)).status, 200)
  assert.equal(await spentOf(`tasks.*.monthlyCapUsd of ${taskId}`), 2 * CALL_USD)
  assert.equal(await spentOf(`tasks.*.monthlyCapUsd of ${other}`), undefined)
  for (const query of [`taskId=${other}`, 'agent=somebody']) {
    const response = await call(`/v1/chat/completions?${query}`)
    assert.equal(response.status, 403, query)
    assert.match(JSON.stringify(await response.json()), /can only be/)
  }
})

test('a caller whose own budget is used up spends no more through the key of a task that it claims', async () => {
  const as = { as: { kind: 'api-key', id: 'key:k2', label: 'capped', role: 'member' } }
  const { call } = await work({}, as)
  assert.equal((await call('/v1/chat/completions')).status, 200)
  const refused = await call('/v1/chat/completions')
  assert.deepEqual([refused.status, /keys\.capped\.monthlyCapUsd/.test(await refused.text())], [402, true])
})
