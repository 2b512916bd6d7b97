import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadSettings } from '@gateway/settings'
import { startTestGateway, type TestClock, type TestGateway, testClock } from '@gateway/testing'
import { pino } from 'pino'
import { openStore } from '../../../defaults/src/open-store.ts'
import { endAbandonedTasks, type TaskRecord, taskRecords } from '../../src/stateless/task-records.ts'
import { ALL, ask, call, SECRET, session, taskWhen } from './requests.ts'
import { statelessFixture } from './stateless-plugin.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-tasks-'))
})
after(() => rm(folder, { recursive: true }))

const able = { capabilities: ALL }
const env = { GATEWAY_JWT_SECRET: SECRET }
const begins = (gateway: TestGateway) => async (name: string, args: object) =>
  (await call(gateway, name, args, able)).json.result.taskId as string

test('a stop gives up what waits or takes too long, and what has ended outlives it', async () => {
  const era = statelessFixture()
  const options = { dataDir: join(folder, 'impatient'), env: { ...env, GATEWAY_STOP_TIMEOUT_MS: '300' } }
  await using gateway = await startTestGateway({ plugins: [era.plugin], listen: true, ...options })
  const begin = begins(gateway)
  const ended = await begin('era_job', { end: 'well' })
  await taskWhen(gateway, ended, 'completed')
  const asking = await begin('era_job', { end: 'asks' })
  await taskWhen(gateway, asking, 'input_required')
  const slow = await begin('era_wait', { detach: true })
  await era.arrived(1)
  await gateway.restart()
  assert.equal(era.waiting.size, 0, 'its work was told to end')
  assert.equal((await taskWhen(gateway, ended, 'completed')).result.structuredContent.text, 'done')
  for (const taskId of [asking, slow]) {
    const { error, statusMessage } = await taskWhen(gateway, taskId, 'failed')
    assert.deepEqual([error.code, /restarted/.test(error.message), statusMessage], [-32603, true, error.message])
  }
})

test('a stop lets running work end', async () => {
  const era = statelessFixture()
  const options = { dataDir: join(folder, 'patient'), env: { ...env, GATEWAY_STOP_TIMEOUT_MS: '60000' } }
  await using gateway = await startTestGateway({ plugins: [era.plugin], listen: true, ...options })
  const quick = await begins(gateway)('era_wait', { detach: true })
  await era.arrived(1)
  const restarted = gateway.restart()
  era.release()
  await restarted
  assert.deepEqual((await taskWhen(gateway, quick, 'completed')).result.structuredContent, { why: 'released' })
})

const storeIn = async (dir: string, clock: TestClock) => {
  const settings = loadSettings({ env: { GATEWAY_DATA_DIR: dir }, cwd: dir })
  const store = await openStore({ settings, clock, log: pino({ level: 'silent' }) })
  await store.prepare([taskRecords])
  return store
}

test('what a killed process left open has failed at the next start, in every tenant, and says why', async () => {
  const clock = testClock()
  const dir = join(folder, 'left')
  const store = await storeIn(dir, clock)
  const at = new Date(clock.now()).toISOString()
  for (const tenantId of ['acme', 'other']) {
    const records = store.collection<TaskRecord>(taskRecords, tenantId)
    const left = { owner: 'ann', createdAt: at, lastUpdatedAt: at, open: true }
    await records.insert({ ...left, taskId: 'working', status: 'working' })
    await records.insert({ ...left, taskId: 'asking', status: 'input_required', inputRequests: '{}' })
    await records.insert({
      ...left,
      taskId: 'cancelled',
      status: 'cancelled',
      open: undefined,
      expiresAt: '2030-01-01T00:00:00.000Z',
    } as never)
  }
  await store.close()
  await using gateway = await startTestGateway({ plugins: [statelessFixture().plugin], listen: true, dataDir: dir, env, clock })
  for (const tenantId of ['acme', 'other']) {
    const ann = { ...able, headers: await session(gateway, tenantId) }
    for (const taskId of ['working', 'asking']) {
      const { error, inputRequests } = await taskWhen(gateway, taskId, 'failed', ann)
      assert.deepEqual([error.code, /restarted/.test(error.message), inputRequests], [-32603, true, undefined])
    }
    const { json } = await ask(gateway, { method: 'tasks/get', params: { taskId: 'cancelled' }, ...ann })
    assert.equal(json.result.status, 'cancelled')
  }
})

test('an expired task is removed from the store', async () => {
  const clock = testClock()
  const dir = join(folder, 'expired')
  const store = (await storeIn(dir, clock)) as Awaited<ReturnType<typeof storeIn>> & { sweepExpired(): Promise<number> }
  const records = store.collection<TaskRecord>(taskRecords, 'acme')
  const at = new Date(clock.now()).toISOString()
  await records.insert({ taskId: 'left', owner: 'ann', status: 'working', createdAt: at, lastUpdatedAt: at, open: true })
  await endAbandonedTasks(store, clock, [])
  const { expiresAt = '' } = (await records.get('left')) ?? {}
  clock.set(new Date(Date.parse(expiresAt) - 1))
  assert.equal(await store.sweepExpired(), 0)
  clock.advance(0.001)
  assert.equal(await store.sweepExpired(), 1)
  assert.equal(await records.get('left'), undefined)
  await store.close()
})

test('tasks leave room for other calls: beyond it a call stays attached, or is refused where it cannot', async () => {
  const era = statelessFixture()
  const limits = { ...env, GATEWAY_MAX_IN_FLIGHT: '16' }
  await using gateway = await startTestGateway({ plugins: [era.plugin], listen: true, env: limits })
  const begin = (headers: Record<string, string> = {}) => call(gateway, 'era_wait', { detach: true }, { ...able, headers })
  // Half of all calls may be tasks, a quarter of these for one caller.
  const begun = [(await begin()).json.result, (await begin()).json.result]
  assert.deepEqual(
    begun.map(({ resultType }) => resultType),
    ['task', 'task'],
  )
  const attached = await call(gateway, 'era_job', { end: 'well' }, able)
  assert.deepEqual([attached.json.result.resultType, attached.json.result.structuredContent], ['complete', { text: 'done' }])
  const refused = await call(gateway, 'era_long', {}, able)
  assert.deepEqual([refused.json.result.isError, refused.json.result.structuredContent.code], [true, 'UNAVAILABLE'])
  assert.equal((await begin(await session(gateway, 'acme'))).json.result.resultType, 'task')
  era.release()
  for (const { taskId } of begun) await taskWhen(gateway, taskId, 'completed')
  assert.equal((await call(gateway, 'era_long', {}, able)).json.result.resultType, 'task')
})
