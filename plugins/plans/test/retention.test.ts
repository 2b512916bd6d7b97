import assert from 'node:assert/strict'
import { test } from 'node:test'
import trash from '@gateway/plugin-trash'
import { startTestGateway, testClock } from '@gateway/testing'
import plans from '../src/index.ts'
import { list, set, TODAY } from './support.ts'

const DAY = 86_400
const JOB = 'plans.retention'

const start = (env: Record<string, string> = {}) =>
  startTestGateway({ plugins: [trash, plans], clock: testClock(`${TODAY}T12:00:00.000Z`), env })
const days = async (gateway: Awaited<ReturnType<typeof start>>, options?: object) =>
  (await list(gateway, {}, options)).map(({ day }) => day)

const STATUSES = ['blocked', 'disabled', 'done', 'enabled']
const atNoon = { fireHourUtc: 12, startDate: TODAY }

test('180 days after they fired, days that are done, blocked or disabled are removed, and enabled ones stay', async () => {
  await using gateway = await start()
  for (const status of STATUSES) await set(gateway, [{ day: 1, status }], { repo: status, ...atNoon })
  const left = async () => (await list(gateway)).map(({ repo }) => repo)
  gateway.clock.advance(180 * DAY)
  await gateway.runJob(JOB)
  assert.deepEqual(await left(), STATUSES)
  gateway.clock.advance(1)
  await gateway.runJob(JOB)
  assert.deepEqual(await left(), ['enabled'])
})

test('a day that was written long before it fires is kept until long after', async () => {
  await using gateway = await start()
  await set(gateway, [{ day: 300, status: 'disabled' }], atNoon)
  gateway.clock.advance(400 * DAY)
  await gateway.runJob(JOB)
  assert.deepEqual(await days(gateway), [300])
  gateway.clock.advance(80 * DAY)
  await gateway.runJob(JOB)
  assert.deepEqual(await days(gateway), [])
})

test('a day that was changed since is kept as long after that', async () => {
  await using gateway = await start()
  await set(gateway, [{ day: 1 }], atNoon)
  gateway.clock.advance(179 * DAY)
  await set(gateway, [{ day: 1, status: 'done' }])
  gateway.clock.advance(179 * DAY)
  await gateway.runJob(JOB)
  assert.deepEqual(await days(gateway), [1])
  gateway.clock.advance(2 * DAY)
  await gateway.runJob(JOB)
  assert.deepEqual(await days(gateway), [])
})

test('PLAN_RETENTION_DAYS sets how long', async () => {
  await using gateway = await start({ PLAN_RETENTION_DAYS: '2' })
  await set(gateway, [{ day: 1, status: 'done' }], atNoon)
  gateway.clock.advance(2 * DAY)
  await gateway.runJob(JOB)
  assert.deepEqual(await days(gateway), [1])
  gateway.clock.advance(1)
  await gateway.runJob(JOB)
  assert.deepEqual(await days(gateway), [])
})

test('every tenant has its turn, but for one under legal hold', async () => {
  await using gateway = await start()
  const [acme, umbrella] = [{ as: { tenantId: 'acme' } }, { as: { tenantId: 'umbrella' } }]
  await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  await gateway.tenants.change('acme', { legalHold: true })
  for (const options of [acme, umbrella]) await set(gateway, [{ day: 1, status: 'done' }], atNoon, options)
  gateway.clock.advance(181 * DAY)
  await gateway.runJob(JOB)
  assert.deepEqual([await days(gateway, acme), await days(gateway, umbrella)], [[1], []])
  await gateway.tenants.change('acme', { legalHold: false })
  await gateway.runJob(JOB)
  assert.deepEqual(await days(gateway, acme), [])
})
