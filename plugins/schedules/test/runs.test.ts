import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import mailbox from '@gateway/plugin-mailbox'
import { alertRaised, closed, contribute, definePlugin, defineTool, on, type Plugin, Type } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { type RunDelivery, runChannels, scheduleRan, scheduleRunner } from '../src/api.ts'
import { admin, at, create, HOUR, list, MINUTE, start, type TestGateway, target, tick, update } from './support.ts'

interface Delivered {
  readonly name: string
  readonly title: string
  readonly text: string
}

/** Agents whose invocation answers with `text`, a trace and a cost, and a channel `ops` that remembers what it gets. */
function family(
  answer: () => string = () => 'All is well.',
  hold: () => Promise<RunDelivery | undefined> | undefined = () => undefined,
): { plugin: Plugin; delivered: Delivered[] } {
  const delivered: Delivered[] = []
  const invoke = defineTool({
    name: 'agents_invoke',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({ agent: Type.String(), message: Type.Optional(Type.String({ maxLength: 50 })) }, closed),
    output: Type.Object({}),
    handle: async () => ({ text: answer(), traceId: 'trace-1', usage: { costUsd: 0.25 } }),
  })
  const plugin = definePlugin({
    id: 'test-agents',
    sdk: '^1.0.0',
    description: 'For tests.',
    tools: [invoke],
    contributes: [
      contribute(scheduleRunner, {
        create: () => ({
          kind: 'agent',
          knows: async (name) => name === 'triager',
          call: ({ target: agent, message = '' }) => ({ tool: 'agents_invoke', args: { agent, message } }),
        }),
      }),
      contribute(runChannels, {
        create: () => ({
          has: (name) => name === 'ops',
          async deliver(name, { title, text }) {
            delivered.push({ name, title, text })
            return (await hold()) ?? 'delivered'
          },
        }),
      }),
    ],
  })
  return { plugin, delivered }
}

const agent = { kind: 'agent', target: 'triager', name: 'Triage', message: 'Look.' }
const begin = (plugin: Plugin) => start({ plugins: [plugin, target().plugin, mailbox] })

async function runsOf(gateway: TestGateway, { scheduleId }: { scheduleId: string }, options = {}): Promise<Record<string, unknown>[]> {
  const { status, json } = await gateway.inject({ method: 'GET', url: `/api/schedules/${scheduleId}/runs`, ...options })
  assert.equal(status, 200)
  return json().runs
}
const inbox = async (gateway: TestGateway, to: string) => (await gateway.call('mail_inbox', { to })).messages

test('run_now answers with the run, and a run by the clock is kept with its result, trace and cost, newest first', async () => {
  await using gateway = await begin(family().plugin)
  const schedule = await create(gateway, agent)
  const { run } = await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId })
  assert.deepEqual(
    { ...run, runId: '' },
    {
      runId: '',
      startedAt: at('09:00'),
      endedAt: at('09:00'),
      status: 'success',
      result: 'All is well.',
      traceId: 'trace-1',
      costUsd: 0.25,
    },
  )
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  const runs = await runsOf(gateway, schedule)
  assert.deepEqual(
    runs.map(({ startedAt }) => startedAt),
    [at('09:05'), at('09:00')],
  )
  assert.deepEqual(runs[1], run)
})

test('a run that fails is kept with its error, and the result of a tool as JSON', async () => {
  await using gateway = await begin(family().plugin)
  const schedule = await create(gateway, { message: '{"text":"fail"}' })
  const failed = await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId })
  assert.deepEqual([failed.run.status, failed.run.result], ['error', undefined])
  assert.equal(failed.run.error, failed.schedule.lastError)
  await update(gateway, schedule, { message: '{}' })
  assert.equal((await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId })).run.result, '{}')
  assert.equal((await runsOf(gateway, schedule)).length, 2)
})

test('the latest 100 runs are kept, and they go with their schedule', async () => {
  await using gateway = await begin(family().plugin)
  const schedule = await create(gateway, {})
  const other = await create(gateway, {})
  await gateway.call('schedules_run_now', { scheduleId: other.scheduleId })
  for (let i = 0; i < 103; i++) await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId })
  assert.equal((await runsOf(gateway, schedule)).length, 100)
  assert.equal((await runsOf(gateway, other)).length, 1)
  await gateway.call('schedules_delete', { scheduleId: schedule.scheduleId })
  assert.equal((await gateway.inject({ method: 'GET', url: `/api/schedules/${schedule.scheduleId}/runs` })).status, 404)
})

test('another tenant’s schedule has no runs to be seen', async () => {
  await using gateway = await begin(family().plugin)
  const theirs = await create(gateway, {}, { as: admin })
  assert.equal((await gateway.inject({ method: 'GET', url: `/api/schedules/${theirs.scheduleId}/runs` })).status, 404)
})

test('the answer of an agent is mailed to operator, unless deliverTo names a channel or another address', async () => {
  const { plugin, delivered } = family()
  await using gateway = await begin(plugin)
  const run = async (args: object) =>
    gateway.call('schedules_run_now', { scheduleId: (await create(gateway, { ...agent, ...args })).scheduleId })
  await run({})
  const [mail] = await inbox(gateway, 'operator')
  assert.deepEqual([mail.kind, mail.from, mail.subject, mail.body], ['result', 'schedules', 'Triage', 'All is well.'])
  await run({ deliverTo: 'ops' })
  await run({ deliverTo: 'web/lead' })
  assert.deepEqual(delivered, [{ name: 'ops', title: 'Triage', text: 'All is well.' }])
  assert.equal((await inbox(gateway, 'web/lead')).length, 1)
  assert.equal((await inbox(gateway, 'operator')).length, 1)
})

test('a result whose process stops before its channel has it is delivered by another one; a delivered result is not sent again', async () => {
  let release = (): void => undefined
  const held = new Promise<undefined>((resolve) => void (release = () => resolve(undefined)))
  const holds = [undefined, held]
  const { plugin, delivered } = family(undefined, () => holds.shift())
  await using gateway = await begin(plugin)
  const { scheduleId } = await create(gateway, { ...agent, deliverTo: 'ops' })
  const left = async () => {
    gateway.clock.advance(3 * MINUTE)
    await gateway.runJob('schedules.deliver')
    return [delivered.length, (await gateway.documents())['schedules.deliveries']?.length]
  }
  await gateway.call('schedules_run_now', { scheduleId })
  assert.deepEqual(await left(), [1, 0])
  const stuck = gateway.call('schedules_run_now', { scheduleId })
  while (delivered.length < 2) await new Promise(setImmediate)
  assert.deepEqual([(await runsOf(gateway, { scheduleId })).length, (await gateway.documents())['schedules.deliveries']?.length], [2, 1])
  assert.deepEqual(await left(), [3, 0], 'the run was kept, so its result arrives')
  assert.deepEqual(await left(), [3, 0])
  release()
  await stuck
})

/** A schedule whose channel answers with `outcomes`, one for each attempt; the last one from then on. */
async function withChannel(outcomes: (() => Promise<RunDelivery>)[]) {
  const { plugin, delivered } = family(undefined, () => (outcomes.length > 1 ? outcomes.shift() : outcomes[0])?.())
  const alerts: { title: string; message: string }[] = []
  const listener = definePlugin({
    id: 'test-listener',
    sdk: '^1.0.0',
    description: 'For tests.',
    on: [on(alertRaised, { handle: async (alert) => void alerts.push(alert) })],
  })
  const gateway = await start({ plugins: [plugin, target().plugin, mailbox, listener] })
  const { scheduleId } = await create(gateway, { ...agent, deliverTo: 'ops' })
  await gateway.call('schedules_run_now', { scheduleId })
  /** Number of attempts so far, and of results that are enqueued. */
  const after = async (seconds: number) => {
    gateway.clock.advance(seconds)
    await gateway.runJob('schedules.deliver')
    return [delivered.length, (await gateway.documents())['schedules.deliveries']?.length]
  }
  return { gateway, scheduleId, after, alerts }
}
const answers = (outcome: RunDelivery) => async () => outcome

test('a result that its channel may take later is sent again with growing delays, until the channel has it, across a restart', async () => {
  const fails = async () => assert.fail('the channel broke')
  const { gateway, after, alerts } = await withChannel([answers('later'), fails, answers('delivered')])
  await using _ = gateway
  assert.deepEqual(await after(29), [1, 1])
  assert.deepEqual(await after(1), [2, 1])
  await gateway.restart()
  assert.deepEqual(await after(59), [2, 1])
  assert.deepEqual(await after(1), [3, 0])
  assert.deepEqual(await after(HOUR), [3, 0])
  assert.deepEqual(alerts, [])
})

test('a result that is given up says so in its run and raises one alert', async () => {
  for (const [outcome, attempts] of [
    ['later', 6],
    ['refused', 1],
  ] as const) {
    const { gateway, scheduleId, after, alerts } = await withChannel([answers(outcome)])
    await using _ = gateway
    for (let i = 0; i < 8; i++) await after(HOUR)
    assert.deepEqual(await after(HOUR), [attempts, 0])
    const [run] = await runsOf(gateway, { scheduleId })
    assert.match(String(run?.undelivered), attempts === 1 ? /channel ops .* at once/ : /channel ops .* after 6 attempts/)
    while (alerts.length === 0) await new Promise(setImmediate)
    assert.deepEqual([alerts.length, alerts[0]?.title], [1, 'Result of “Triage” was not delivered'])
    assert.match(alerts[0]?.message ?? '', new RegExp(`${run?.runId}.*${scheduleId}/runs still has it`))
  }
})

test('the result of a tool is delivered only where deliverTo says so, and then errors are as well', async () => {
  const { plugin, delivered } = family()
  await using gateway = await begin(plugin)
  const schedule = await create(gateway, { name: 'Ring', message: '{"text":"fail"}' })
  await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId })
  assert.deepEqual(await inbox(gateway, 'operator'), [])
  await update(gateway, schedule, { deliverTo: 'ops' })
  await gateway.call('schedules_run_now', { scheduleId: schedule.scheduleId })
  assert.equal(delivered[0]?.title, 'Ring: failed')
})

test('a schedule with an unknown agent, arguments that the tool refuses, or nobody to deliver to is refused, and nothing is stored', async () => {
  await using gateway = await begin(family().plugin)
  const wrong: [object, string, RegExp][] = [
    [{ ...agent, target: 'nobody' }, 'target', /an agent that exists; got "nobody"/],
    [{ ...agent, message: 'x'.repeat(51) }, 'message', /agents_invoke accepts.*message/],
    [{ message: '{"text":[]}' }, 'message', /ring accepts.*text/],
    [{ message: '{"txt":"a"}' }, 'message', /ring accepts.*txt/],
    [{ ...agent, includeMemoryContext: true }, 'repo', /memory is kept by repo/],
    [{ deliverTo: 'two words' }, 'deliverTo', /channel or be a mail address/],
  ]
  for (const [args, field, says] of wrong) await assert.rejects(create(gateway, args), refusal('BAD_REQUEST', field, says))
  assert.deepEqual(await list(gateway), [])
  const schedule = await create(gateway)
  await assert.rejects(update(gateway, schedule, { message: '{"txt":"a"}' }), refusal('BAD_REQUEST', 'message'))
  assert.deepEqual(await list(gateway), [schedule])
})

test('each run is announced as schedules.ran, without its result', async () => {
  const ears = new EventEmitter()
  const listener = definePlugin({
    id: 'test-listener',
    sdk: '^1.0.0',
    description: 'For tests.',
    on: [on(scheduleRan, { handle: async (payload) => void ears.emit('heard', payload) })],
  })
  await using gateway = await start({ plugins: [family().plugin, target().plugin, mailbox, listener] })
  const { scheduleId } = await create(gateway, agent)
  const heard = once(ears, 'heard')
  const { run } = await gateway.call('schedules_run_now', { scheduleId })
  const { result: _result, ...facts } = run
  assert.deepEqual(await heard, [{ scheduleId, name: 'Triage', kind: 'agent', target: 'triager', ...facts }])
})
