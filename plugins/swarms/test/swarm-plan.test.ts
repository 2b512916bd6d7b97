import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repoNames } from '@gateway/plugin-tasks/api'
import { closed, contribute, definePlugin, defineTool, type Plugin, Type } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import swarms from '../src/index.ts'
import { planSwarm, planUses } from '../src/operations/plan.ts'
import { claim, get, plan, start, statuses } from './support.ts'

const tasks = async (gateway: Awaited<ReturnType<typeof start>>) => (await gateway.call('tasks_list', { limit: 500 })).tasks
const five = Array.from({ length: 5 }, (_, i) => ({ title: `${i}` }))

test('a plan stands paused: the swarm, and its children in the order of the plan, stamped with it', async () => {
  await using gateway = await start()
  const { taskId: parentTaskId } = (await gateway.call('tasks_create', { repo: 'web', title: 'Ship it' })).task
  const given = { parentTaskId, notes: 'Gently.', children: five }
  const { swarm, children } = await plan(gateway, given)
  const { swarmId, createdAt, updatedAt, ...rest } = swarm
  assert.match(swarmId, /^swarm-\w+$/)
  assert.deepEqual([createdAt, updatedAt], ['2026-01-05T09:00:00.000Z', '2026-01-05T09:00:00.000Z'])
  assert.deepEqual(rest, {
    goal: 'Ship it',
    repo: 'web',
    status: 'paused',
    childCount: 5,
    childCap: 5,
    dependents: 'done',
    tokensSpent: 0,
    plannedBy: 'director',
    plannedByPrincipal: 'operator',
    participants: [],
    parentTaskId,
    notes: 'Gently.',
  })
  assert.deepEqual(
    children.map(({ title, displayStatus }) => [title, displayStatus]),
    five.map(({ title }) => [title, 'paused']),
  )
  const planned = (await tasks(gateway)).filter(({ taskId }: { taskId: string }) => taskId !== parentTaskId)
  for (const task of planned) assert.deepEqual([task.status, task.swarmId, task.repo], ['paused', swarmId, 'web'])
  await gateway.restart()
  assert.deepEqual(await get(gateway, swarm), { swarm, children })
})

test('nothing of it can be claimed before it is approved', async () => {
  await using gateway = await start()
  const { children } = await plan(gateway)
  assert.equal(await claim(gateway), undefined)
  for (const { taskId } of children) assert.equal(await claim(gateway, { taskId }), undefined)
})

test('a child has what the plan says of it, and waits for the earlier children it names', async () => {
  await using gateway = await start()
  const child = {
    title: 'third',
    description: 'All of it.',
    priority: 'P0',
    assignedAgent: 'keeper',
    recommendedModel: 'big',
    recommendedModelPreference: true,
    notes: 'Softly.',
  }
  const { children } = await plan(gateway, {
    children: [{ title: 'first' }, { title: 'second' }, { ...child, dependsOnIndexes: [1, 0, 1] }],
  })
  const [first, second, third] = children
  assert.deepEqual(third?.dependsOn, [second?.taskId, first?.taskId])
  assert.deepEqual([third?.agent, third?.priority], ['keeper', 'P0'])
  const { task } = await gateway.call('tasks.get', { taskId: third?.taskId })
  for (const [field, value] of Object.entries(child)) assert.equal(task[field], value, field)
  assert.equal(task.waitingOn, 2)
})

test('the cap of children: 5, lowered by the setting or by childCap, raised by neither', async () => {
  await using gateway = await start()
  await assert.rejects(plan(gateway, { children: [...five, { title: '6' }] }), refusal('BAD_REQUEST', 'children'))
  await assert.rejects(plan(gateway, { children: five, childCap: 4 }), refusal('BAD_REQUEST', 'children', /at most 4; got 5/))
  assert.equal((await plan(gateway, { children: five, childCap: 9 })).swarm.childCap, 5)
  await using low = await start({ env: { SWARM_CHILD_CAP: '2' } })
  await assert.rejects(plan(low, { children: five, childCap: 5 }), refusal('BAD_REQUEST', 'children', /at most 2; got 5/))
  assert.equal((await plan(low, { childCap: 3 })).swarm.childCap, 2)
  await using high = await start({ env: { SWARM_CHILD_CAP: '9' } })
  assert.equal((await plan(high)).swarm.childCap, 5)
})

test('a repo that is left out of autonomous work is refused without consent', async () => {
  await using gateway = await start({ config: { swarms: { scheduleIgnoreRepos: ['web'] } } })
  await assert.rejects(plan(gateway), refusal('CONSENT_NEEDED', 'consent', /web.*consent: true/))
  await assert.rejects(plan(gateway, { consent: false }), refusal('CONSENT_NEEDED', 'consent'))
  assert.deepEqual((await gateway.call('swarm_list')).swarms, [])
  await plan(gateway, { repo: 'api' })
  assert.equal((await plan(gateway, { consent: true })).swarm.status, 'paused')
})

/** A folder of the repo web. */
const clones = definePlugin({
  id: 'clones',
  sdk: '^1.0.0',
  description: 'Knows a clone.',
  contributes: [contribute(repoNames, { uses: {}, create: () => ({ nameOf: async (text) => (text === '/srv/web' ? 'web' : undefined) }) })],
})

test('a folder is the name of its repo, which is asked for consent, planned for and listed', async () => {
  await using gateway = await start({ plugins: [swarms, clones], config: { swarms: { scheduleIgnoreRepos: ['web'] } } })
  await assert.rejects(plan(gateway, { repo: '/srv/web' }), refusal('CONSENT_NEEDED', 'consent', /web/))
  const { swarm } = await plan(gateway, { repo: '/srv/web', consent: true })
  assert.equal(swarm.repo, 'web')
  assert.deepEqual([...new Set((await tasks(gateway)).map(({ repo }: { repo: string }) => repo))], ['web'])
  assert.deepEqual((await gateway.call('swarm_list', { repo: '/srv/web' })).swarms, [swarm])
})

test('a folder among the repos that need consent stands for its repo', async () => {
  await using gateway = await start({ plugins: [swarms, clones], config: { swarms: { scheduleIgnoreRepos: ['/srv/web'] } } })
  for (const repo of ['/srv/web', 'web']) await assert.rejects(plan(gateway, { repo }), refusal('CONSENT_NEEDED', 'consent', /web/))
  await plan(gateway, { repo: 'api' })
})

test('what is wrong with an argument is said with its name, and nothing is stored', async () => {
  await using gateway = await start()
  const wrong: [object, string, RegExp?][] = [
    [{ repo: undefined }, 'repo'],
    [{ repo: ' ' }, 'repo'],
    [{ goal: undefined }, 'goal'],
    [{ goal: '' }, 'goal'],
    [{ children: undefined }, 'children'],
    [{ children: [] }, 'children'],
    [{ children: [{ title: '' }] }, 'children[0].title'],
    [{ children: [{ title: 'x', repo: 'web' }] }, 'children[0].repo'],
    [{ children: [{ title: 'x', priority: 'P9' }] }, 'children[0].priority'],
    [{ children: [{ title: 'x', dependsOnIndexes: [-1] }] }, 'children[0].dependsOnIndexes[0]'],
    [{ children: [{ title: 'x', dependsOnIndexes: [0] }] }, 'children[0].dependsOnIndexes[0]', /wait for none; got 0/],
    [{ children: [{ title: 'x' }, { title: 'y', dependsOnIndexes: [1] }] }, 'children[1].dependsOnIndexes[0]', /0 to 0; got 1/],
    [{ childCap: 0 }, 'childCap'],
    [{ createdBy: 'a b' }, 'createdBy', /address/],
    [{ consent: 'yes' }, 'consent'],
  ]
  for (const [args, field, says] of wrong)
    await assert.rejects(plan(gateway, args), refusal('BAD_REQUEST', field, says), JSON.stringify(args))
  assert.deepEqual([(await gateway.call('swarm_list')).swarms, await tasks(gateway)], [[], []])
})

test('its creator is an address in lower case; without one it is the caller', async () => {
  await using gateway = await start()
  assert.equal((await plan(gateway, { createdBy: ' Host/Web ' })).swarm.plannedBy, 'host/web')
  assert.equal((await plan(gateway, { createdBy: undefined })).swarm.plannedBy, 'operator')
  assert.equal((await plan(gateway, { createdBy: undefined }, { as: { id: 'a b' } })).swarm.plannedBy, 'a b')
})

test('a plan that fails half way leaves nothing of it', async () => {
  const breaking = defineTool({
    name: 'test_plan',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    uses: planUses,
    handle: (_args, refs, ctx) => {
      const enqueue: typeof refs.queue.enqueue = async (draft, tx) => {
        const task = await refs.queue.enqueue(draft, tx)
        if (draft.title === 'second') throw new Error('not this one')
        return task
      }
      const children = [{ title: 'first' }, { title: 'second', dependsOnIndexes: [0] }]
      return planSwarm({ ...refs, queue: { ...refs.queue, enqueue } }, { repo: 'web', goal: 'x', children }, ctx)
    },
  })
  const broken: Plugin = definePlugin({ ...swarms, tools: [...swarms.tools, breaking] } as Parameters<typeof definePlugin>[0])
  await using gateway = await start({ plugins: [broken] })
  await assert.rejects(gateway.call('test_plan'))
  const { tasks: left, 'tasks.edges': edges, swarms: stored } = await gateway.documents()
  assert.deepEqual([left ?? [], edges ?? [], stored ?? []], [[], [], []])
})

test('over REST a plan is a POST, and a swarm of another tenant is not found', async () => {
  await using gateway = await start()
  const body = { repo: 'web', goal: 'x', children: [{ title: 'a' }] }
  const answer = await gateway.inject({ method: 'POST', url: '/api/swarms', body })
  assert.equal(answer.status, 201)
  const whole = answer.json()
  assert.deepEqual(statuses(whole), ['paused'])
  const read = await gateway.inject({ method: 'GET', url: `/api/swarms/${whole.swarm.swarmId}` })
  assert.deepEqual(read.json(), whole)
  await assert.rejects(get(gateway, whole.swarm, { as: { tenantId: 'acme' } }), refusal('NOT_FOUND'))
})

test('parentTaskId names a task that exists; otherwise nothing is planned', async () => {
  await using gateway = await start()
  await assert.rejects(plan(gateway, { parentTaskId: 'task-1', children: five }), {
    code: 'BAD_REQUEST',
    message: /`parentTaskId` must name/,
  })
  assert.deepEqual((await gateway.call('swarm_list')).swarms, [])
})
