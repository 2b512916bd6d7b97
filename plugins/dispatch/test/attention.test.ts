import assert from 'node:assert/strict'
import { test } from 'node:test'
import dashboard from '@gateway/plugin-dashboard'
import runners from '@gateway/plugin-runners'
import { agentHere } from './here.ts'
import { create, start, type TestGateway } from './support.ts'

interface Item {
  readonly kind: string
  readonly title: string
  readonly text: string
}
const WAIT = 31 * 60

const unserved = async (gateway: TestGateway): Promise<Item[]> => {
  const { items } = (await gateway.inject({ method: 'GET', url: '/api/attention' })).json() as { items: Item[] }
  return items.filter(({ kind }) => kind === 'unserved')
}
const titles = async (gateway: TestGateway) => (await unserved(gateway)).map(({ title }) => title)

test('a task that waits while nobody works for its repo and agent is shown with who is missing, also where no runner ever was', async () => {
  await using gateway = await start({ plugins: [runners, dashboard] })
  await create(gateway, { repo: 'api', title: 'first', assignedAgent: 'engineer', priority: 'P0' })
  await create(gateway, { repo: 'api', title: 'second', assignedAgent: 'engineer' })
  await create(gateway, { title: 'anyone’s' })
  gateway.clock.advance(29 * 60)
  assert.deepEqual(await titles(gateway), [])
  gateway.clock.advance(2 * 60)
  const items = await unserved(gateway)
  assert.deepEqual(items.map(({ title }) => title).sort(), [
    'Nobody takes tasks of the repo “api” for the agent “engineer”',
    'Nobody takes tasks of the repo “web”',
  ])
  assert.match(items.find(({ title }) => title.includes('api'))?.text ?? '', /“first” waits first.*gateway runner start/)
  await gateway.call('tasks_claim', { claimedBy: 'ada', repo: 'api' })
  assert.deepEqual(await titles(gateway), ['Nobody takes tasks of the repo “web”'])
})

test('a live runner that serves other repos is told apart from none, and silent runners are an item of their own', async () => {
  await using gateway = await start({ plugins: [runners, dashboard] })
  await create(gateway)
  gateway.clock.advance(WAIT)
  await gateway.call('runner_heartbeat', { machine: 'm1' })
  assert.match((await unserved(gateway))[0]?.text ?? '', /Runners are alive, but none works on such tasks/)
  gateway.clock.advance(WAIT)
  assert.deepEqual(await titles(gateway), [])
})

test('a delayed task counts from the time at which it became ready', async () => {
  await using gateway = await start({ plugins: [runners, dashboard] })
  const { taskId } = await create(gateway)
  await gateway.call('tasks_update', { taskId, status: 'pending', deferSeconds: 3_600 })
  gateway.clock.advance(3_601)
  await gateway.call('tasks_next', {})
  assert.deepEqual(await titles(gateway), [])
  gateway.clock.advance(WAIT)
  assert.equal((await titles(gateway)).length, 1)
})

test('a task that waited for another counts from the end of that', async () => {
  await using gateway = await start({ plugins: [runners, dashboard] })
  const { taskId } = await create(gateway, { repo: 'api' })
  await create(gateway, { dependsOn: [taskId] })
  gateway.clock.advance(WAIT)
  await gateway.call('tasks_update', { taskId, status: 'done' })
  assert.deepEqual(await titles(gateway), [])
  gateway.clock.advance(WAIT)
  assert.deepEqual(await titles(gateway), ['Nobody takes tasks of the repo “web”'])
})

test('a task of an agent that runs here is shown if the gateway cannot execute it, with the reason', async () => {
  const text = async (here: Parameters<typeof agentHere>[0], env: Record<string, string> = {}) => {
    await using gateway = await start({ plugins: [runners, dashboard, agentHere(here)], env })
    await create(gateway, { assignedAgent: 'summarizer' })
    gateway.clock.advance(WAIT)
    return (await unserved(gateway))[0]?.text
  }
  assert.equal(await text({}), undefined)
  assert.match((await text({ plan: async () => 'later' })) ?? '', /no provider of models takes its calls now/)
  assert.match((await text({ plan: async () => undefined, obstacle: async () => 'No provider.' })) ?? '', /No provider\.$/)
  assert.match((await text({}, { DISPATCH_RUN_HERE: 'false' })) ?? '', /dispatch\.runHere is off/)
})
