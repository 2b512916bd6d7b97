import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

/** A server on the loopback that is both the model and the chat: it records what it is asked and told. */
async function outside(answer: string) {
  const told: { url: string; body: Record<string, unknown> }[] = []
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    told.push({ url: request.url ?? '', body: (await json(request)) as Record<string, unknown> })
    const usage = { prompt_tokens: 1_000, completion_tokens: 100 }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ok: true, choices: [{ message: { content: answer }, finish_reason: 'stop' }], usage }))
  }
  const server = createServer((request, response) => void reply(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    told,
    config: {
      providers: {
        providers: {
          local: {
            wire: 'openai',
            baseUrl: `${url}/model`,
            models: { budget: 'small', standard: 'middle', premium: 'large', ultra: 'huge' },
            prices: Object.fromEntries(['small', 'middle', 'large', 'huge'].map((name) => [name, { inputPerMTok: 10, outputPerMTok: 10 }])),
          },
        },
      },
      notifications: { channels: { ops: { kind: 'chat_channel', baseUrl: url, token: '42:abc', chatId: '7' } } },
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function createTriage(gateway: TestGateway, more: object = {}): Promise<string> {
  const body = { name: 'Morning triage', cronExpr: '30 9 * * *', kind: 'agent', target: 'ops-engineer', message: 'Triage.', ...more }
  const { status, json } = await gateway.inject({ method: 'POST', url: '/api/schedules', body })
  assert.equal(status, 201)
  return json().schedule.scheduleId
}
const read = async (gateway: TestGateway, url: string) => (await gateway.inject({ method: 'GET', url })).json()

test('a scheduled triage runs by the clock, and its answer reaches a person on every transport', async () => {
  await using world = await outside('Two tasks are stuck.')
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: world.config })
  const scheduleId = await createTriage(gateway)
  gateway.clock.set('2026-01-05T09:30:00.000Z')
  await gateway.runJob('schedules.tick')

  const { runs } = await read(gateway, `/api/schedules/${scheduleId}/runs`)
  assert.equal(runs.length, 1)
  const [{ status, result, traceId, costUsd, startedAt }] = runs
  assert.deepEqual([status, result, startedAt], ['success', 'Two tasks are stuck.', '2026-01-05T09:30:00.000Z'])
  assert.ok(costUsd > 0)
  assert.ok((await gateway.call('traces_list', { taskId: traceId })).spans.length > 0)

  // The answer is mail to the operator.
  const { messages } = await gateway.call('mail_inbox', { to: 'operator' })
  assert.deepEqual(
    messages.map(({ subject, body, kind }: Record<string, string>) => [subject, body, kind]),
    [['Morning triage', 'Two tasks are stuck.', 'result']],
  )
  const recalled = await gateway.call('session_recall', { agentName: 'ops-engineer' })
  assert.match(recalled.digest, /Two tasks are stuck/)
  const { did, spentUsd } = await read(gateway, '/api/agents/ops-engineer/activity')
  assert.deepEqual([did[0].kind, spentUsd], ['session', costUsd])

  const { pages } = await read(gateway, '/api/dashboard/pages')
  const page = pages.find(({ path }: { path: string }) => path === '/schedules/:scheduleId')
  assert.equal(page.panels[0].text.value, '/result')
  const audited = (await gateway.audit()).filter(({ tool }) => tool === 'agents_invoke')
  assert.deepEqual(
    audited.map(({ principal, subject }) => [(principal as { id: string }).id, subject]),
    [['operator', { agent: 'ops-engineer' }]],
  )
})

test('with deliverTo the answer reaches the chat, and a failed triage waits in the attention queue', async () => {
  await using world = await outside('All is well.')
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: world.config })
  const scheduleId = await createTriage(gateway, { deliverTo: 'ops' })
  const chats = () => world.told.filter(({ url }) => url.endsWith('/sendMessage')).map(({ body }) => String(body.text))
  const run = () => gateway.inject({ method: 'POST', url: `/api/schedules/${scheduleId}/run` })
  assert.equal((await run()).json().run.status, 'success')
  assert.match(chats()[0] ?? '', /Morning triage[\s\S]*All is well\./)
  assert.deepEqual((await gateway.call('mail_inbox', { to: 'operator' })).messages, [])
  await world[Symbol.asyncDispose]()
  const failed = (await run()).json()
  assert.deepEqual([failed.run.status, failed.schedule.lastError], ['error', failed.run.error])
  const { runs } = await read(gateway, `/api/schedules/${scheduleId}/runs`)
  assert.deepEqual(
    runs.map(({ status }: { status: string }) => status),
    ['error', 'success'],
  )
  const attention = JSON.stringify(await read(gateway, '/api/attention'))
  assert.match(attention, /Morning triage/)
})
