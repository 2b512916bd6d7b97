import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

/** A model and a chat on this machine: one server, distinguished by path. */
const chats: { chat_id?: string; text?: string }[] = []
let chatAnswers = 200
const models: { messages: { content: string }[]; max_tokens?: number }[] = []
const server = createServer((request, response) => void answer(request, response))
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = JSON.parse(Buffer.concat(parts).toString('utf8'))
  if (!request.url?.includes('completions')) {
    chats.push(body)
    response.writeHead(chatAnswers, { 'content-type': 'application/json' }).end('{"ok":true}')
    return
  }
  models.push(body)
  response.writeHead(200, { 'content-type': 'application/json' })
  const usage = { prompt_tokens: 2_000, completion_tokens: 1_000 }
  response.end(JSON.stringify({ choices: [{ message: { content: 'Ship the door first.' }, finish_reason: 'stop' }], usage }))
}

let gateway: TestGateway
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const prices = { small: { inputPerMTok: 100, outputPerMTok: 500 } }
  const tiers = { budget: 'small', standard: 'small', premium: 'small', ultra: 'small' }
  gateway = await startTestGateway({
    plugins: standardPlugins,
    env: { GATEWAY_EMBEDDINGS: 'off' },
    config: {
      providers: { providers: { local: { wire: 'openai', baseUrl, models: tiers, prices } } },
      notifications: { channels: { team: { kind: 'chat_channel', baseUrl, token: '42:abc', chatId: 'ops' } } },
    },
  })
})
after(async () => {
  await gateway.stop()
  server.closeAllConnections()
  server.close()
})

test('the morning is briefed by the agent, through a real model, and told in a real chat', async () => {
  await gateway.call('tasks_create', { repo: 'web', title: 'The door', priority: 'P1' })
  await gateway.runJob('canary.run')
  const { latest } = await gateway.call('canary_status')
  assert.match(latest.status, /^(pass|slow)$/)
  const { repos, briefs, report, delivered, note } = await gateway.call('morning_sweep', { chatId: 'war-room', briefMaxTokens: 321 })
  assert.deepEqual(briefs, [{ repo: 'web', text: 'Ship the door first.', by: 'agent' }])
  assert.deepEqual([delivered, note], [true, undefined])
  assert.deepEqual(
    repos.map(({ repo }: { repo: string }) => repo),
    ['web'],
  )
  assert.equal(models.at(-1)?.max_tokens, 321)
  assert.match(models.at(-1)?.messages.at(-1)?.content ?? '', /P1 The door/)
  assert.equal(chats.at(-1)?.chat_id, 'war-room')
  assert.match(chats.at(-1)?.text ?? '', /Ship the door first\./)
  assert.doesNotMatch(report, /synthetic/)
})

test('the evening has the day’s spend as the budgets metered it, and is told too', async () => {
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'ada', repo: 'web' })
  await gateway.call('tasks_update', { taskId: task.taskId, status: 'done', claimId: task.claimId })
  await gateway.runJob('canary.run')
  const { spendUsd, report, completed, repos, delivered } = await gateway.call('evening_sweep', { chatId: 'lobby' })
  const { totalUsd } = await gateway.call('budgets_breakdown', {})
  assert.equal(spendUsd, totalUsd)
  assert.ok(spendUsd > 0)
  assert.match(report, new RegExp(`LLM spend: \\$${spendUsd.toFixed(2)}\\.`.replace('.', '\\.')))
  assert.deepEqual([completed, repos, delivered], [1, ['web'], true])
  assert.equal(chats.at(-1)?.chat_id, 'lobby')
  assert.doesNotMatch(report, /synthetic/)
})

test('a chat that refuses is said, with the reason the notifications give', async () => {
  chatAnswers = 403
  const { delivered, note, report } = await gateway.call('evening_sweep', { chatId: 'lobby' })
  chatAnswers = 200
  assert.equal(delivered, false)
  assert.match(note, /403/)
  assert.match(report, /^# Evening report/)
})

test('a tenant’s sweep is of its own work, and the canary is in nobody’s figures', async () => {
  const acme = { as: { tenantId: 'acme', id: 'key', kind: 'api-key', role: 'owner' } } as const
  await gateway.call('tasks_create', { repo: 'theirs', title: 'A secret' }, acme)
  await gateway.runJob('canary.run')
  const theirs = await gateway.call('morning_sweep', { topN: 0 }, acme)
  assert.deepEqual(
    theirs.repos.map(({ repo }: { repo: string }) => repo),
    ['theirs'],
  )
  const { body } = await gateway.inject({ method: 'GET', url: '/metrics' })
  assert.match(body, /^gateway_tasks_claims_total\{result="claimed"\} 1$/m)
  assert.doesNotMatch(body, /synthetic/)
  for (const tool of ['perf_stats', 'fleet_overview', 'activation_funnel', 'tasks_list', 'usage_summary', 'trash_list'])
    assert.doesNotMatch(JSON.stringify(await gateway.call(tool, {})), /synthetic[.-]canary/, tool)
})
