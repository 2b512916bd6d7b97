import assert from 'node:assert/strict'
import { test } from 'node:test'
import entitlements from '@gateway/plugin-entitlements'
import fleet from '@gateway/plugin-fleet'
import health from '@gateway/plugin-health'
import notifications from '@gateway/plugin-notifications'
import schedules from '@gateway/plugin-schedules'
import sessions from '@gateway/plugin-sessions'
import sweeps from '@gateway/plugin-sweeps'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import type { TestGateway } from '@gateway/testing'
import { member, model, start } from './support.ts'

const burst = (question: string): string | undefined => (question.includes('burst') ? undefined : `re ${question}`)

async function say(gateway: TestGateway, id: string, content: string) {
  const { status, json } = await gateway.inject({ method: 'POST', url: `/api/sessions/${id}/messages`, body: { content } })
  return { status, body: json() }
}
const begin = (gateway: TestGateway, agentName: string) =>
  gateway.inject({ method: 'POST', url: '/api/sessions', body: { agentName } }).then(({ status, json }) => ({ status, body: json() }))
const read = async (gateway: TestGateway, id: string) => (await gateway.inject({ method: 'GET', url: `/api/sessions/${id}` })).json()
const states = ({ messages }: { messages: { content: string; state?: string }[] }) => messages.map(({ content, state }) => [content, state])

test('a message of a session is answered by its agent, which is told what was said before', async () => {
  await using one = await model(burst)
  await using gateway = await start({ config: one.config, plugins: [sessions] })
  const { sessionId } = (await begin(gateway, 'debugger')).body
  const first = await say(gateway, sessionId, 'Why?')
  assert.deepEqual([first.status, first.body.agentName, first.body.response.content], [200, 'debugger', 're Why?'])
  assert.deepEqual([first.body.response.provider, first.body.response.model, first.body.response.usage.outputTokens], ['local', 'large', 5])
  await say(gateway, sessionId, 'And now?')
  const [system, ...said] = one.asked[1].messages
  assert.match(system.content, /^You find causes/)
  assert.deepEqual(said, [
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 're Why?' },
    { role: 'user', content: 'And now?' },
  ])
  assert.equal((await begin(gateway, 'nobody')).status, 404)
})

test('a message that its agent could not answer is kept with the reason, over a restart, and the next one is answered', async () => {
  await using one = await model(burst)
  await using gateway = await start({ config: one.config, plugins: [sessions] })
  const { sessionId } = (await begin(gateway, 'planner')).body
  assert.equal((await say(gateway, sessionId, 'burst')).body.code, 'SESSION_ROUTING_FAILED')
  await gateway.restart()
  assert.equal((await say(gateway, sessionId, 'again')).status, 200)
  assert.deepEqual(states(await read(gateway, sessionId)), [
    ['burst', 'failed'],
    ['again', 'answered'],
    ['re again', undefined],
  ])
  assert.equal(one.asked.at(-1).messages.length, 2, 'what failed is not told')
})

test('the channels are those of the gateway and the chats of the operator, beside the sessions that are open', async () => {
  const chat = { kind: 'chat_channel', baseUrl: 'http://127.0.0.1:9', token: 'secret-token' }
  const channels = { team: chat, quiet: { ...chat, enabled: false }, hook: { kind: 'webhook', url: 'http://127.0.0.1:9' } }
  await using one = await model()
  await using gateway = await start({ config: { ...one.config, notifications: { channels } }, plugins: [sessions, health, notifications] })
  const list = async () => (await gateway.inject({ method: 'GET', url: '/api/channels' })).json()
  const { sessionId } = (await begin(gateway, 'planner')).body
  await begin(gateway, 'debugger')
  const { count, activeSessions, channels: listed } = await list()
  assert.deepEqual([count, activeSessions], [4, 2])
  assert.deepEqual(
    listed.map(({ name, type, enabled }: Record<string, unknown>) => [name, type, enabled]),
    [
      ['mcp', 'mcp', true],
      ['scheduler', 'scheduler', true],
      ['team', 'chat_channel', true],
      ['quiet', 'chat_channel', false],
    ],
  )
  assert.ok(!JSON.stringify(listed).includes('secret-token'))
  await gateway.inject({ method: 'DELETE', url: `/api/sessions/${sessionId}` })
  assert.equal((await list()).activeSessions, 1)
})

test('without a provider a message is UNAVAILABLE, names the setting and is kept', async () => {
  await using gateway = await start({ plugins: [sessions] })
  const { sessionId } = (await begin(gateway, 'planner')).body
  const { status, body } = await say(gateway, sessionId, 'hello')
  assert.deepEqual([status, body.code, body.details.setting], [503, 'UNAVAILABLE', 'plugins.providers.providers'])
  assert.deepEqual(states(await read(gateway, sessionId)), [['hello', 'failed']])
})

test('an answer of agents_invoke, and a run of a schedule, is a session that session_recall finds; a refused call leaves none', async () => {
  await using one = await model(burst)
  await using gateway = await start({ config: one.config, plugins: [trash, tasks, fleet, schedules, sessions] })
  const recalled = async () => (await gateway.call('session_recall', { agentName: 'planner' }, member)).sessions
  const { traceId } = await gateway.call('agents_invoke', { agent: 'planner', message: 'Plan it.', repo: 'web' }, member)
  const [session] = await recalled()
  assert.deepEqual([session.status, session.metadata.traceId, session.metadata.repo], ['closed', traceId, 'web'])
  assert.deepEqual(states(session), [
    ['Plan it.', 'answered'],
    ['re Plan it.', undefined],
  ])
  await assert.rejects(gateway.call('agents_invoke', { agent: 'planner', message: 'burst' }, member))
  assert.equal((await recalled()).length, 2, 'a failed answer is kept with its reason')
  await assert.rejects(gateway.call('agents_invoke', { agent: 'nobody', message: 'Plan it.' }, member), { code: 'NOT_FOUND' })
  await assert.rejects(gateway.call('agents_invoke', { agent: 'planner', message: 'x', includeMemoryContext: true }, member), {
    code: 'BAD_REQUEST',
  })
  assert.equal((await recalled()).length, 2)
  const schedule = { name: 'Daily plan', cronExpr: '0 10 * * *', kind: 'agent', target: 'planner', message: 'Plan the day.' }
  const { scheduleId } = (await gateway.call('schedules_create', schedule, member)).schedule
  const { run } = await gateway.call('schedules_run_now', { scheduleId }, member)
  const sessionsOfRun = (await recalled()).filter(({ metadata }: typeof session) => metadata?.traceId === run.traceId)
  assert.equal(sessionsOfRun.length, 1, 'the run and its session have one trace')
  assert.deepEqual(states(sessionsOfRun[0])[1], ['re Plan the day.', undefined])
})

test('schedules of agents and skills run by themselves at their time, once', async () => {
  await using one = await model()
  await using gateway = await start({ config: one.config, plugins: [trash, tasks, fleet, schedules] })
  for (const [kind, target] of [
    ['agent', 'project-manager'],
    ['skill', 'daily-brief'],
  ])
    await gateway.call('schedules_create', { name: `${kind} run`, cronExpr: '0 10 * * *', kind, target, message: 'Brief me.' }, member)
  await gateway.runJob('schedules.tick')
  assert.equal(one.asked.length, 0)
  gateway.clock.advance(3_600)
  await gateway.runJob('schedules.tick')
  await gateway.runJob('schedules.tick')
  const list = (await gateway.call('schedules_list', {}, member)).schedules
  assert.deepEqual(
    list.map(({ lastStatus, lastError }: Record<string, unknown>) => [lastStatus, lastError]),
    [
      ['success', undefined],
      ['success', undefined],
    ],
  )
  assert.deepEqual(
    one.asked.map(({ messages }) => messages.at(-1).content),
    ['Brief me.', 'Brief me.'],
  )
})

test('what schedules of agents do outside of working hours takes of the plan’s minutes: without one they are refused, and what began with one is let end', async () => {
  let minutes = 0
  await using one = await model((question) => {
    gateway.clock.advance(minutes * 60)
    return burst(question)
  })
  const plans = { solo: { limits: { offHoursMinutes: 1 } } }
  const config = { ...one.config, entitlements: { plans } }
  await using gateway = await start({ config, plugins: [trash, tasks, fleet, schedules, entitlements] })
  // A Thursday in Sydney: 7:00, and 11:00.
  const [early, atWork] = ['2026-03-11T20:00:00Z', '2026-03-12T00:00:00Z']
  const runs = async (plan: 'free' | 'solo', at: string, message: string) => {
    const { tenantId } = await gateway.tenants.create({ name: plan, plan })
    const owner = { as: { tenantId, id: 'ann', kind: 'user', role: 'owner' } } as const
    gateway.clock.set(new Date(Date.parse(at) - 60_000))
    const schedule = { name: 'by night', cronExpr: '0 * * * *', kind: 'agent', target: 'project-manager', message }
    await gateway.call('schedules_create', schedule, owner)
    gateway.clock.set(at)
    await gateway.runJob('schedules.tick')
    const [{ lastStatus, lastError = '' }] = (await gateway.call('schedules_list', {}, owner)).schedules
    const { used } = (await gateway.call('entitlements_status', {}, owner)).limits.offHoursMinutes
    return [lastStatus, used, /offHoursMinutes/.test(lastError)]
  }
  assert.deepEqual(await runs('solo', early, 'Brief me.'), ['success', 1, false])
  assert.deepEqual(await runs('solo', atWork, 'Brief me.'), ['success', 0, false])
  assert.deepEqual(await runs('solo', early, 'burst'), ['error', 0, false])
  assert.deepEqual(await runs('free', early, 'Brief me.'), ['error', 0, true])
  assert.deepEqual(await runs('free', atWork, 'Brief me.'), ['success', 0, false])
  minutes = 2.5
  assert.deepEqual(await runs('solo', early, 'Brief me.'), ['success', 3, false])
})

test('the briefs of a morning sweep are written by the agent, through the provider', async () => {
  await using one = await model('Ship the door.')
  await using gateway = await start({ config: one.config, plugins: [trash, tasks, sweeps] })
  await gateway.call('tasks_create', { repo: 'web', title: 'the door' })
  const { briefs } = await gateway.call('morning_sweep')
  assert.deepEqual(briefs, [{ repo: 'web', text: 'Ship the door.', by: 'agent' }])
  assert.match(one.asked[0].messages[1].content, /P2 the door/)
  assert.equal(one.asked[0].max_tokens, 600)
})
