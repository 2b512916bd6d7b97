import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

interface Deed {
  readonly sort: string
  readonly kind: string
  readonly title: string
  readonly page?: string
}

/** A gateway in which ada has worked in the repo `web`. */
async function worked(): Promise<TestGateway> {
  const gateway = await startTestGateway({ plugins: standardPlugins, config: { tasks: { maxRetries: 0 } } })
  const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
  const task = async (title: string): Promise<{ taskId: string; claimId: string }> => {
    const { taskId } = (await call('tasks_create', { repo: 'web', title })).task
    gateway.clock.advance(1)
    return (await call('tasks_claim', { taskId, claimedBy: 'ada' })).task
  }
  const done = await task('Mend the gate')
  await call('tasks_update', { taskId: done.taskId, claimId: done.claimId, status: 'done' })
  const failed = await task('Oil the hinges')
  await call('tasks_fail', { taskId: failed.taskId, claimId: failed.claimId, error: 'There is no oil.' })
  await task('Paint the fence')
  gateway.clock.advance(1)
  await call('mail_send', { from: 'bob', to: 'ada', subject: 'Lunch', body: 'At noon.' })
  await call('mail_send', { from: 'bob', to: 'web', subject: 'Release', body: 'On Monday.' })
  await call('memory_store', { content: 'The fence has twelve posts.', repo: 'web' })
  await call('job_history_record', {
    repo: 'web',
    status: 'failed',
    resultLine: 'Compilation stopped',
    startedAtMs: gateway.clock.now() - 60_000,
    durationSeconds: 5,
    logFile: 'a.log',
  })
  return gateway
}

const timelineOf = async (gateway: TestGateway, url: string): Promise<readonly (readonly string[])[]> =>
  (await gateway.inject({ method: 'GET', url })).json().timeline.map(({ sort, kind, title }: Deed) => [sort, kind, title])

function assertHas(timeline: readonly (readonly string[])[], wanted: readonly (readonly string[])[]): void {
  for (const one of wanted)
    assert.ok(
      timeline.some((deed) => deed.join() === one.join()),
      `${one.join(' ')} is missing in ${timeline.join(' | ')}`,
    )
}

test('the timeline of an agent has its tasks and its mail, each with the page that shows it', async () => {
  await using gateway = await worked()
  const url = '/api/agents/ada/activity'
  assertHas(await timelineOf(gateway, url), [
    ['holds', 'task', 'Paint the fence'],
    ['failed', 'task', 'Oil the hinges'],
    ['did', 'task', 'Mend the gate'],
    ['told', 'mail', 'bob: Lunch'],
  ])
  const { timeline } = (await gateway.inject({ method: 'GET', url })).json()
  for (const { page } of timeline) assert.match(page, /^\/(tasks|mailbox\/threads)\/./)
})

test('the timeline of a repo has its tasks, runs, mail and memories', async () => {
  await using gateway = await worked()
  assertHas(await timelineOf(gateway, '/api/repos/web/activity'), [
    ['holds', 'task', 'Paint the fence'],
    ['failed', 'task', 'Oil the hinges'],
    ['did', 'task', 'Mend the gate'],
    ['failed', 'run', 'Compilation stopped'],
    ['told', 'mail', 'bob: Release'],
    ['learned', 'memory', 'The fence has twelve posts.'],
  ])
  const nothing = (await gateway.inject({ method: 'GET', url: '/api/repos/none/activity' })).json()
  assert.deepEqual([nothing.timeline, nothing.spentUsd], [[], 0])
})

test('the timeline of a key has its calls, and what it wrote for others to learn, for those who may read the trail', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, env: { RBAC_ENFORCE: 'true' } })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const keyOf = async (role: 'member' | 'admin', label: string) =>
    (await gateway.tenants.issueKey('acme', { role, label, environment: 'live' })).apiKey
  const [ada, ann] = [await keyOf('member', 'ada'), await keyOf('admin', 'ann')]
  const body = { content: 'The fence has twelve posts.', repo: 'web' }
  const stored = await gateway.inject({ method: 'POST', url: '/api/tools/memory_store', headers: { 'x-api-key': ada }, body })
  assert.equal(stored.status, 200, stored.body)
  const learned = async (key: string) =>
    (await gateway.inject({ method: 'GET', url: '/api/agents/ada/activity', headers: { 'x-api-key': key } }))
      .json()
      .learned.map(({ kind, title }: Deed) => [kind, title.split(' ')[0]])
  assert.deepEqual(await learned(ann), [['audit', 'memory_store']])
  assert.deepEqual(await learned(ada), [], 'a member may not read the trail')
})
