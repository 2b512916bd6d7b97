import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

/** Tools that answer a record they changed and have no `ifUpdatedAt`, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  fleet_run_start: 'Adds a record; repeated, it returns the one that runs.',
  marketplace_publish: 'Adds a version, which never changes afterwards.',
  new_app: 'Adds records.',
  recurring_tasks_delete: 'Removes the record.',
  recurring_tasks_run_now: 'Adds a task; the rule only counts it.',
  schedules_delete: 'Removes the record.',
  schedules_run_now: 'Adds a run; the schedule only shows how it ended.',
  tasks_claim: 'Chooses the task itself, and claimId identifies the claim.',
  tasks_delete: 'Removes the record, which tasks_restore brings back.',
  tasks_restore: 'Brings a record back that nobody could have changed.',
  tenant_reactivate: 'Sets a state of the whole tenant, whatever else changed in it.',
  tenant_suspend: 'Sets a state of the whole tenant, whatever else changed in it.',
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
}
interface Tool {
  readonly name: string
  readonly effect: string
  readonly input: Shape
  readonly output: Shape
}

const tools = (standardPlugins as readonly { readonly tools?: readonly Tool[] }[]).flatMap(({ tools = [] }) => tools)

/** True if the tool writes and its answer has one record with the time of its revision. */
const changesOneRecord = ({ effect, output: { properties = {} } }: Tool): boolean =>
  effect !== 'read' && ('updatedAt' in properties || Object.values(properties).some((member) => member.properties?.updatedAt !== undefined))
/** A new record has no revision that a caller could have read. */
const createsOnly = ({ input: { properties = {} } }: Tool): boolean => 'idempotencyKey' in properties

test('each exception is a tool of the catalogue with its reason', () => {
  for (const [name, reason] of Object.entries(EXCEPTIONS)) assert.ok(tools.some((tool) => tool.name === name) && reason.endsWith('.'), name)
})

test('every tool that updates one record accepts ifUpdatedAt', () => {
  const without = tools
    .filter((tool) => changesOneRecord(tool) && !createsOnly(tool) && !('ifUpdatedAt' in (tool.input.properties ?? {})))
    .map(({ name }) => name)
  assert.deepEqual(without.sort(), Object.keys(EXCEPTIONS).sort())
})

/** Everything that the tenant has in the store, except for what every call counts, and notes to compare a file with the memory again. */
async function documents(gateway: TestGateway): Promise<object> {
  const all = Object.entries(await gateway.documents())
  return Object.fromEntries(all.filter(([id]) => !/^(observability|usage|memory\.due-origins$)/.test(id)))
}

const STALE = '2001-01-01T00:00:00.000Z'

test('with a stale ifUpdatedAt each of them answers CONFLICT and changes nothing; with the current one it changes the record', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, env: { PLUGIN_TOOLS_ENABLED: '1' } })
  const { swarm } = await gateway.call('swarm_plan', { repo: 'web', goal: 'Ship', createdBy: 'ada', children: [{ title: 'one' }] })
  await gateway.call('tasks_create', { repo: 'api', title: 'two' })
  const { task } = await gateway.call('tasks_claim', { repo: 'api', claimedBy: 'ada' })
  const { run } = await gateway.call('fleet_run_start', { repos: [{ repo: 'web' }] })
  const { job } = await gateway.call('job_history_record', { logFile: '/var/log/one.log', status: 'no-result' })
  const { days } = await gateway.call('plan_set', { repo: 'web', days: [{ day: 1, focus: 'Ship' }] })
  const state = await gateway.call('state_update', { repo: 'web', content: 'Begun.' })
  const tool = { name: 'acme_lookup', schema: { type: 'object' }, handlerUrl: 'https://tools.example.com/lookup' }
  const registered = await gateway.call('plugin_tools_register', tool)
  const { swarmId } = swarm
  for (const [name, args, updatedAt] of [
    ['swarm_approve', { swarmId }, swarm.updatedAt],
    ['swarm_stop', { swarmId }, undefined],
    ['tasks_fail', { taskId: task.taskId, error: 'x' }, task.updatedAt],
    ['fleet_run_finish', { runId: run.runId, status: 'completed' }, run.updatedAt],
    ['job_history_record', { logFile: '/var/log/one.log', status: 'failed' }, job.updatedAt],
    ['plan_set', { repo: 'web', days: [{ day: 1, status: 'done' }] }, days[0].updatedAt],
    ['state_update', { repo: 'web', content: 'Half done.', mode: 'append' }, state.updatedAt],
    ['plugin_tools_register', { ...tool, enabled: false }, registered.tool.updatedAt],
  ] as const) {
    const before = await documents(gateway)
    const current = updatedAt ?? (await gateway.call('swarm_get', { swarmId })).swarm.updatedAt
    await assert.rejects(
      gateway.call(name, { ...args, ifUpdatedAt: STALE }),
      (error: { code?: unknown; details?: { field?: unknown } }) => error.code === 'CONFLICT' && error.details?.field === 'ifUpdatedAt',
      name,
    )
    assert.deepEqual(await documents(gateway), before, `${name} changed something`)
    await gateway.call(name, { ...args, ifUpdatedAt: current })
  }
})
