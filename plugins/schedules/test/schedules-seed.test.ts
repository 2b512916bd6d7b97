import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { admin, at, create, HOUR, list, start, type TestGateway, tick, update } from './support.ts'

const MORNING = 'morning_sweep_daily'
const EVENING = 'evening_sweep_daily'
const seed = (gateway: TestGateway, args: object = {}, as: object = {}) => gateway.call('schedules_seed', args, { as })

test('it creates the morning sweep at 09:00 UTC and the evening sweep at 18:00 UTC, of kind tool, enabled', async () => {
  await using gateway = await start()
  assert.deepEqual(await seed(gateway), { created: [MORNING, EVENING], existing: [], updated: [] })
  assert.deepEqual(
    (await list(gateway)).map(({ name, cronExpr, kind, target, enabled, nextRun }) => [name, cronExpr, kind, target, enabled, nextRun]),
    [
      [EVENING, '0 18 * * *', 'tool', 'evening_sweep', true, at('18:00')],
      [MORNING, '0 9 * * *', 'tool', 'morning_sweep', true, at('09:00', '2026-01-06')],
    ],
  )
})

test('a second time it creates nothing and changes nothing, also two at once', async () => {
  await using gateway = await start()
  const answers = await Promise.all([seed(gateway), seed(gateway), seed(gateway)])
  assert.deepEqual(answers.flatMap(({ created }) => created).sort(), [EVENING, MORNING])
  const before = await list(gateway)
  assert.equal(before.length, 2)
  gateway.clock.advance(HOUR)
  assert.deepEqual(await seed(gateway), { created: [], existing: [MORNING, EVENING], updated: [] })
  assert.deepEqual(await list(gateway), before)
})

test('enabled says whether they run: those that differ are switched, and named', async () => {
  await using gateway = await start()
  assert.deepEqual((await seed(gateway, { enabled: false })).created, [MORNING, EVENING])
  assert.equal((await list(gateway, { enabled: false })).length, 2)
  const [evening] = await list(gateway)
  assert.ok(evening)
  await update(gateway, evening, { enabled: true })
  assert.deepEqual(await seed(gateway), { created: [], existing: [EVENING], updated: [MORNING] })
  assert.deepEqual(await seed(gateway, { enabled: false }), { created: [], existing: [], updated: [MORNING, EVENING] })
})

test('one that someone made by that name is kept as it is', async () => {
  await using gateway = await start()
  const mine = await create(gateway, { name: MORNING, cronExpr: '0 7 * * *' })
  assert.deepEqual(await seed(gateway), { created: [EVENING], existing: [MORNING], updated: [] })
  assert.deepEqual(
    (await list(gateway)).find(({ name }) => name === MORNING),
    mine,
  )
})

test('a tenant seeds its own', async () => {
  await using gateway = await start()
  await seed(gateway, {}, admin)
  assert.deepEqual(await list(gateway), [])
  assert.deepEqual((await seed(gateway)).created, [MORNING, EVENING])
})

test('without the family of sweeps a run ends in error and names the tool; with it, it succeeds', async () => {
  await using gateway = await start()
  await seed(gateway)
  gateway.clock.advance(9 * HOUR)
  await tick(gateway)
  const [failed] = await list(gateway, { status: 'error' })
  assert.deepEqual([failed?.name, failed?.lastError], [EVENING, 'Unknown tool: evening_sweep'])

  const sweeps = definePlugin({
    id: 'test-sweeps',
    sdk: '^1.0.0',
    description: 'For tests.',
    tools: [
      defineTool({
        name: 'evening_sweep',
        description: 'For tests.',
        capability: 'work',
        effect: 'write',
        input: Type.Object({}, closed),
        output: Type.Object({}),
        handle: async () => ({}),
      }),
    ],
  })
  await using whole = await start({ plugins: [sweeps] })
  await seed(whole)
  whole.clock.advance(9 * HOUR)
  await tick(whole)
  assert.equal((await list(whole, { status: 'success' }))[0]?.name, EVENING)
})

test('one whose tool is not there can be switched off and rescheduled', async () => {
  await using gateway = await start()
  await seed(gateway)
  for (const schedule of await list(gateway)) await update(gateway, schedule, { enabled: false, cronExpr: '0 8 * * *' })
  assert.equal((await list(gateway, { enabled: false })).length, 2)
})
