import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { closed, defineJob, defineTool, type Plugin, Type } from '@gateway/sdk'
import { needs, startTestGateway } from '@gateway/testing'
import { schedules } from '../src/collections.ts'
import plugin from '../src/index.ts'
import { tick as tickJob } from '../src/jobs/tick.ts'
import { admin, at, create, get, HOUR, list, MINUTE, runNow, start, type TestGateway, target, tick, update } from './support.ts'

/** The job a second time, so that the two run in parallel as they would in two processes. */
const otherTick = defineJob('schedules.other-tick', { everySeconds: 1, uses: tickJob.uses, run: tickJob.run as never })
const twice: Plugin = { ...plugin, jobs: [...plugin.jobs, otherTick] }

test('a schedule runs when it is due, not before, and once', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway, { message: '{"text":"hello"}' })
  gateway.clock.advance(5 * MINUTE - 0.001)
  await tick(gateway)
  assert.equal(calls.length, 0)
  gateway.clock.advance(0.001)
  for (let i = 0; i < 3; i++) await tick(gateway)
  assert.deepEqual(
    calls.map(({ text }) => text),
    ['hello'],
  )
  assert.deepEqual(await get(gateway, schedule), { ...schedule, lastRun: at('09:05'), lastStatus: 'success', nextRun: at('09:10') })
})

test('it looks often enough to begin a run less than a second late', () => {
  assert.ok(tickJob.everySeconds < 1)
})

test('one that is switched off does not run', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  await create(gateway, { enabled: false })
  gateway.clock.advance(HOUR)
  await tick(gateway)
  assert.equal(calls.length, 0)
})

test('after a stop of an hour, what was missed is made up for once', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const minutely = await create(gateway, { cronExpr: '* * * * *', message: '{"text":"minutely"}' })
  const daily = await create(gateway, { cronExpr: '30 9 * * *', message: '{"text":"daily"}' })
  await create(gateway, { cronExpr: '30 12 * * *', message: '{"text":"not yet"}' })
  gateway.clock.advance(HOUR)
  await gateway.restart()
  await tick(gateway)
  await tick(gateway)
  assert.deepEqual(calls.map(({ text }) => text).sort(), ['daily', 'minutely'])
  assert.equal((await get(gateway, minutely)).nextRun, at('10:01'))
  assert.equal((await get(gateway, daily)).nextRun, at('09:30', '2026-01-06'))
})

test('of two processes that see it due, one runs it', async () => {
  const { plugin, calls } = target()
  await using gateway = await startTestGateway({ plugins: [twice, plugin] })
  for (let i = 0; i < 30; i++) await create(gateway, { message: JSON.stringify({ text: `${i}` }) })
  gateway.clock.advance(5 * MINUTE)
  await Promise.all([tick(gateway), gateway.runJob('schedules.other-tick'), tick(gateway)])
  assert.equal(calls.length, 30)
  assert.equal(new Set(calls.map(({ text }) => text)).size, 30)
})

test('a clock that is behind the store’s does not make it run twice', async () => {
  const { plugin: ringing, calls } = target()
  // The same job in a process whose clock has not reached the minute yet.
  const late = defineJob('schedules.late-tick', {
    everySeconds: 1,
    uses: tickJob.uses,
    run: (refs, ctx) => {
      const { tenantId, signal, log } = ctx
      const behind = { tenantId, signal, log, newId: ctx.newId.bind(ctx), now: () => new Date(ctx.now().getTime() - 2_000) }
      return (tickJob.run as (refs: unknown, ctx: unknown) => Promise<void>)(refs, behind)
    },
  })
  await using gateway = await startTestGateway({ plugins: [{ ...plugin, jobs: [...plugin.jobs, late] }, ringing] })
  const schedule = await create(gateway)
  gateway.clock.advance(5 * MINUTE)
  await gateway.runJob('schedules.late-tick')
  await gateway.runJob('schedules.late-tick')
  assert.equal(calls.length, 1)
  assert.equal((await get(gateway, schedule)).nextRun, at('09:10'))
})

test('a long run delays no other, and its own next one waits for it and then makes up for what it missed', async () => {
  const gate = new EventEmitter()
  const { plugin, calls } = target(async (text) => {
    if (text === 'slow') await once(gate, 'open')
  })
  await using gateway = await start({ plugins: [plugin] })
  const slow = await create(gateway, { cronExpr: '* * * * *', message: '{"text":"slow"}' })
  const quick = await create(gateway, { cronExpr: '* * * * *', message: '{"text":"quick"}' })
  const texts = (): (string | undefined)[] => calls.map(({ text }) => text).sort()
  gateway.clock.advance(MINUTE)
  const first = tick(gateway)
  while ((await get(gateway, quick)).lastStatus !== 'success') await new Promise(setImmediate)
  for (let i = 0; i < 2; i++) {
    gateway.clock.advance(MINUTE)
    await tick(gateway)
  }
  assert.deepEqual(texts(), ['quick', 'quick', 'quick', 'slow'])
  assert.equal((await get(gateway, slow)).runStartedAt, at('09:01'))
  gate.emit('open')
  await first
  const second = tick(gateway)
  while (calls.length < 5) await new Promise(setImmediate)
  gate.emit('open')
  await second
  await tick(gateway)
  assert.deepEqual(texts(), ['quick', 'quick', 'quick', 'slow', 'slow'])
})

test('no more runs at once than the setting allows; the rest come as those end', needs('scale'), async () => {
  let running = 0
  let most = 0
  const { plugin, calls } = target(async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  })
  await using gateway = await start({ plugins: [plugin], config: { schedules: { maxRunsAtOnce: 4 } } })
  for (let i = 0; i < 30; i++) await create(gateway)
  gateway.clock.advance(5 * MINUTE)
  await Promise.all([tick(gateway), tick(gateway), tick(gateway)])
  assert.deepEqual([calls.length, most], [30, 4])
})

test('a run whose process stopped is written down as an error when its lease is over, and is not repeated', async () => {
  const { plugin: hanging, calls } = target(() => new Promise(() => {}))
  const env = { GATEWAY_STOP_TIMEOUT_MS: '100' }
  await using gateway = await start({ plugins: [hanging], env, config: { schedules: { runLeaseSeconds: 600 } } })
  const schedule = await create(gateway, { cronExpr: '0 12 * * *' })
  gateway.clock.set(at('12:00'))
  void tick(gateway)
  while (calls.length === 0) await new Promise(setImmediate)
  await gateway.restart()
  gateway.clock.advance(10 * MINUTE - 1)
  await tick(gateway)
  assert.deepEqual([(await get(gateway, schedule)).lastStatus, (await get(gateway, schedule)).runLeaseUntil], ['never', at('12:10')])
  gateway.clock.advance(1)
  await tick(gateway)
  const { lastStatus, lastRun, lastError, nextRun, runId, runLeaseUntil } = await get(gateway, schedule)
  assert.deepEqual([lastStatus, lastRun, nextRun], ['error', at('12:00'), at('12:00', '2026-01-06')])
  assert.match(lastError ?? '', /began at 2026-01-05T12:00:00.000Z did not end.*not repeated/)
  assert.deepEqual([runId, runLeaseUntil], [undefined, undefined])
  assert.equal(calls.length, 1)
})

test('a tool that does not end is told to when the lease of its run is over, and keeps no slot though it does not listen', async (t) => {
  let told: unknown
  const { plugin: hanging, calls } = target(async (text, signal) => {
    signal.addEventListener('abort', () => (told = signal.reason))
    if (text === 'hang') await new Promise(() => {})
  })
  const env = { GATEWAY_STOP_TIMEOUT_MS: '100' }
  await using gateway = await start({ plugins: [hanging], env, config: { schedules: { maxRunsAtOnce: 1, runLeaseSeconds: 60 } } })
  const hung = await create(gateway, { message: '{"text":"hang"}' })
  gateway.clock.advance(5 * MINUTE)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const ticking = tick(gateway)
  while (calls.length === 0) await new Promise(setImmediate)
  t.mock.timers.tick(MINUTE * 1_000)
  t.mock.timers.reset()
  await ticking
  assert.match(String(told), /took longer than its lease of 60 s/)
  const { lastStatus, lastError, runId } = await get(gateway, hung)
  assert.deepEqual([lastStatus, runId], ['error', undefined])
  assert.match(lastError ?? '', /took longer than its lease of 60 s\. It was cancelled and is not repeated\./)
  await update(gateway, hung, { enabled: false })
  const next = await create(gateway)
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  assert.equal((await get(gateway, next)).lastStatus, 'success')
  assert.equal(calls.length, 2)
})

test('a run that was given up and ends after all does not overwrite the one after it', async () => {
  const gate = new EventEmitter()
  const { plugin, calls } = target(async (text) => {
    if (text === 'slow') await once(gate, 'open')
  })
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway, { cronExpr: '0 12 * * *', message: '{"text":"slow"}' })
  gateway.clock.set(at('12:00'))
  const slow = tick(gateway)
  while (calls.length === 0) await new Promise(setImmediate)
  gateway.clock.advance(HOUR)
  await tick(gateway)
  await update(gateway, schedule, { message: '{"text":"fail"}' })
  const failed = await runNow(gateway, schedule)
  gate.emit('open')
  await slow
  assert.deepEqual(await get(gateway, schedule), failed)
})

test('a tool that fails, or is not there, keeps no other from running, and says so in lastError', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const bad = await create(gateway, { message: '{"text":"fail"}' })
  const agent = await create(gateway, { kind: 'agent', target: 'writer' })
  await create(gateway, { message: '{"text":"fine"}' })
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  assert.ok(calls.some(({ text }) => text === 'fine'))
  for (const [schedule, says] of [
    [bad, /The gateway failed/],
    [agent, /need the plugin agents/],
  ] as const) {
    const { lastStatus, lastError } = await get(gateway, schedule)
    assert.equal(lastStatus, 'error')
    assert.match(lastError ?? '', says)
  }
  const logged = gateway.logs.filter(({ msg }) => msg === 'a run of a schedule ended in error')
  assert.deepEqual(logged.map(({ scheduleId }) => scheduleId).sort(), [bad, agent].map(({ scheduleId }) => scheduleId).sort())
})

test('a stored schedule that cannot be read keeps no other from running', async () => {
  const { plugin: ringing, calls } = target()
  const spoil = defineTool({
    name: 'spoil',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({ scheduleId: Type.String() }, closed),
    output: Type.Object({}),
    uses: { schedules },
    handle: async ({ scheduleId }, { schedules }) => ({ spoilt: await schedules.updateOne(scheduleId, { set: { cronExpr: 'never' } }) }),
  })
  await using gateway = await startTestGateway({ plugins: [{ ...plugin, tools: [...plugin.tools, spoil] }, ringing] })
  const { scheduleId } = await create(gateway)
  await create(gateway)
  await gateway.call('spoil', { scheduleId })
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  assert.equal(calls.length, 1)
  assert.ok(gateway.logs.some((line) => line.level === 50 && line.scheduleId === scheduleId))
})

test('every tenant’s schedules run, as its own; a suspended tenant’s wait', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  await create(gateway)
  await create(gateway, {}, { as: admin })
  await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  await gateway.tenants.suspend('acme')
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  const whose = (): string[] => calls.map(({ principal }) => principal.tenantId)
  assert.deepEqual(whose(), ['local'])
  gateway.clock.advance(12 * MINUTE)
  await gateway.tenants.reactivate('acme')
  await tick(gateway)
  assert.deepEqual(whose().sort(), ['acme', 'local', 'local'])
})

test('with 10,000 schedules, a tick changes those that are due and no other', needs('scale'), async () => {
  const { plugin: ringing, calls } = target()
  const fill = defineTool({
    name: 'fill',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({ count: Type.Integer(), scheduleId: Type.String() }, closed),
    output: Type.Object({}),
    uses: { schedules },
    async handle({ count, scheduleId }, { schedules }) {
      const model = await schedules.get(scheduleId)
      assert.ok(model)
      await Promise.all(Array.from({ length: count }, (_, i) => schedules.insert({ ...model, scheduleId: `schedule-${i}` })))
      return {}
    },
  })
  await using gateway = await startTestGateway({ plugins: [{ ...plugin, tools: [...plugin.tools, fill] }, ringing] })
  const { scheduleId } = await create(gateway, { cronExpr: '0 23 * * *' })
  await gateway.call('fill', { count: 9_990, scheduleId })
  const due = await Promise.all(Array.from({ length: 9 }, () => create(gateway)))
  const all = async (): Promise<Map<string, string>> => {
    const { schedules } = await gateway.documents()
    return new Map((schedules as { scheduleId: string }[]).map((one) => [one.scheduleId, JSON.stringify(one)]))
  }
  const before = await all()
  assert.equal(before.size, 10_000)
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  const changed = [...(await all())].filter(([id, text]) => before.get(id) !== text).map(([id]) => id)
  assert.deepEqual(changed.sort(), due.map((one) => one.scheduleId).sort())
  assert.equal(calls.length, 9)
})

test('runs are audited as jobs', async () => {
  await using gateway: TestGateway = await start()
  await create(gateway)
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  const row = (await gateway.audit()).find(({ tool }) => tool === 'ring')
  assert.deepEqual([row?.via, row?.decision], ['job', 'ok'])
  assert.equal((await list(gateway))[0]?.lastStatus, 'success')
})

test('a clock that went forward and back stops no schedule, and its next run is told of', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway)
  gateway.clock.advance(365 * 24 * HOUR)
  await tick(gateway)
  assert.equal(calls.length, 1)
  gateway.clock.advance(-365 * 24 * HOUR)
  await gateway.runJob('schedules.set-back')
  assert.equal((await get(gateway, schedule)).nextRun, at('09:05'))
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  assert.equal(calls.length, 2)
})

test('what is due when its expression says is left alone', async () => {
  await using gateway = await start()
  const schedules = [await create(gateway), await create(gateway, { cronExpr: '0 0 29 2 *' })]
  gateway.clock.advance(4 * MINUTE + 59)
  await gateway.runJob('schedules.set-back')
  for (const schedule of schedules) assert.deepEqual(await get(gateway, schedule), schedule)
})

test('where nothing is due, no tenant is looked into', async () => {
  const seen: string[] = []
  const looking = defineJob('schedules.looking', {
    everySeconds: 1,
    due: tickJob.due,
    uses: { schedules },
    run: async (_refs, { tenantId }) => void seen.push(tenantId),
  })
  await using gateway = await startTestGateway({ plugins: [{ ...plugin, jobs: [looking] }, target().plugin] })
  await create(gateway)
  await create(gateway, { enabled: false }, { as: admin })
  await gateway.runJob('schedules.looking')
  assert.deepEqual(seen, [])
  gateway.clock.advance(5 * MINUTE)
  await gateway.runJob('schedules.looking')
  assert.deepEqual(seen, ['local'])
})
