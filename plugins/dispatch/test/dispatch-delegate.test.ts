import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal, startTestGateway } from '@gateway/testing'
import dispatch from '../src/index.ts'
import { delegate, get, mail, needed, start, tasksOf } from './support.ts'

const two = [{ title: 'first' }, { title: 'second', dependsOnIndexes: [0], priority: 'P3' }]

test('several children become a swarm that waits for its approval, with work as its goal', async () => {
  await using gateway = await start()
  const answer = await delegate(gateway, { repo: 'web', children: two, description: 'Gently.', priority: 'P1', assignedAgent: 'keeper' })
  const { swarm, children } = await gateway.call('swarm_get', { swarmId: answer.swarmId })
  assert.deepEqual(answer, { mode: 'swarm', swarmId: swarm.swarmId, swarm, children })
  assert.deepEqual([swarm.status, swarm.goal, swarm.plannedBy, swarm.notes], ['paused', 'Fix it', 'ada', 'Gently.'])
  assert.deepEqual(
    children.map(({ title, status, priority, agent }: Record<string, unknown>) => [title, status, priority, agent]),
    [
      ['first', 'paused', 'P1', 'keeper'],
      ['second', 'paused', 'P3', 'keeper'],
    ],
  )
})

test('mode swarm without children makes one child of the work', async () => {
  await using gateway = await start()
  const { mode, children } = await delegate(gateway, { repo: 'web', mode: 'swarm', description: 'Gently.' })
  assert.deepEqual([mode, children.length, children[0].title], ['swarm', 1, 'Fix it'])
  assert.equal((await get(gateway, children[0].taskId)).description, 'Gently.')
})

test('childCap and consent go along', async () => {
  await using gateway = await start({ config: { swarms: { scheduleIgnoreRepos: ['web'] } } })
  await assert.rejects(delegate(gateway, { repo: 'web', children: two }), refusal('CONSENT_NEEDED', 'consent'))
  await assert.rejects(delegate(gateway, { repo: 'web', children: two, consent: true, childCap: 1 }), refusal('BAD_REQUEST', 'children'))
  assert.equal((await delegate(gateway, { repo: 'web', children: two, consent: true })).mode, 'swarm')
})

test('a receiver without a repo gets a durable request by mail, with work as its subject', async () => {
  await using gateway = await start()
  const answer = await delegate(gateway, { to: 'Api', description: 'Gently.' })
  await gateway.restart()
  const [message] = await mail(gateway, 'api')
  assert.deepEqual(answer, { mode: 'mail', messageId: message?.messageId, message })
  assert.deepEqual(
    [message?.kind, message?.subject, message?.body, message?.from, message?.acked],
    ['request', 'Fix it', 'Gently.', 'ada', false],
  )
})

test('mode mail sends mail also when there is a repo', async () => {
  await using gateway = await start()
  assert.equal((await delegate(gateway, { to: 'api', repo: 'web', mode: 'mail' })).mode, 'mail')
  assert.deepEqual(await tasksOf(gateway), [])
})

test('anything else becomes one claimable task, with work as its title', async () => {
  await using gateway = await start()
  const more = { description: 'Gently.', assignedAgent: 'keeper', recommendedModel: 'big', priority: 'P0' }
  const answer = await delegate(gateway, { repo: 'web', to: 'api', ...more })
  assert.deepEqual([answer.mode, answer.task.taskId], ['task', answer.taskId])
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'worker' })
  assert.equal(task.taskId, answer.taskId)
  for (const [field, value] of Object.entries({ ...more, title: 'Fix it', repo: 'web', notes: 'Delegated by ada for api.' })) {
    assert.equal(task[field], value, field)
  }
  assert.deepEqual(await mail(gateway, 'api'), [])
})

test('one child alone makes no swarm: what it says goes along with the task', async () => {
  await using gateway = await start()
  const only = { title: 'The login', description: 'All of it.', priority: 'P0', assignedAgent: 'keeper', notes: 'Softly.' }
  const { mode, task } = await delegate(gateway, { repo: 'web', assignedAgent: 'smith', children: [only] })
  assert.deepEqual([mode, task.title, task.priority, task.assignedAgent], ['task', 'Fix it', 'P0', 'smith'])
  assert.equal(task.description, 'The login\n\nAll of it.')
  assert.equal(task.notes, 'Delegated by ada.\nSoftly.')
})

test('what is wrong with an argument is said with its name, and nothing is made', async () => {
  await using gateway = await start()
  const wrong: [object, string][] = [
    [{ from: undefined }, 'from'],
    [{ from: 'a b', repo: 'web' }, 'from'],
    [{ work: undefined }, 'work'],
    [{ work: ' ', repo: 'web' }, 'work'],
    [{ mode: 'call', repo: 'web' }, 'mode'],
    [{ priority: 'P9', repo: 'web' }, 'priority'],
    [{ repo: 'web', to: 'a b' }, 'to'],
    [{ mode: 'mail', to: 'a b' }, 'to'],
    [{}, 'repo'],
    [{ mode: 'mail' }, 'to'],
    [{ mode: 'task', repo: 'web', children: two }, 'children'],
    [{ mode: 'mail', to: 'api', children: two }, 'children'],
    [{ repo: 'web', children: [...two, ...two, ...two] }, 'children'],
    [{ repo: 'web', children: [{ title: 'x' }, { title: 'y', dependsOnIndexes: [4] }] }, 'children[1].dependsOnIndexes[0]'],
  ]
  for (const [args, field] of wrong) await assert.rejects(delegate(gateway, args), refusal('BAD_REQUEST', field), JSON.stringify(args))
  assert.deepEqual([await tasksOf(gateway), await mail(gateway, 'api'), (await gateway.call('swarm_list')).swarms], [[], [], []])
})

test('what is too long only together is refused with the longest argument, the limit and the length, by names the caller knows', async () => {
  await using gateway = await start()
  const long = (description: number, child: number) => ({
    description: 'd'.repeat(description),
    children: [{ title: 'One', description: 'c'.repeat(child) }],
  })
  const task = { repo: 'web', ...long(50_000, 99_990) }
  const together = /`description` and `children\[0\]\.title` and `children\[0\]\.description`, in one text/
  await assert.rejects(delegate(gateway, task), refusal('BAD_REQUEST', 'children[0].description', together))
  await assert.rejects(delegate(gateway, task), /as description of the task, may have at most 100000 characters; got 149997\./)
  await assert.rejects(delegate(gateway, { to: 'api', ...long(40_000, 30_000) }), refusal('BAD_REQUEST', 'description', together))
  await assert.rejects(
    delegate(gateway, { to: 'api', children: [{ title: 'One', description: '😀'.repeat(65_532) }] }),
    refusal('BAD_REQUEST', 'children[0].description', /body of the mail, may have at most 65536 characters; got 65537\./),
  )
  await assert.rejects(
    delegate(gateway, { repo: 'web', children: [{ title: 'One', notes: 'n'.repeat(50_000) }] }),
    refusal('BAD_REQUEST', 'children[0].notes', /at most 49982 characters; got 50000\./),
  )
  assert.deepEqual([await tasksOf(gateway), await mail(gateway, 'api')], [[], []])
  const fits = await delegate(gateway, { to: 'api', children: [{ title: 'One', description: '😀'.repeat(65_531) }] })
  assert.equal([...fits.message.body].length, 65_536)
})

test('without the family of swarms it says which one is missing', async () => {
  await using gateway = await startTestGateway({ plugins: [...needed.filter(({ id }) => id !== 'swarms'), dispatch] })
  await assert.rejects(delegate(gateway, { repo: 'web', children: two }), refusal('SWITCHED_OFF', 'plugins.swarms', /swarm_plan/))
  assert.equal((await delegate(gateway, { repo: 'web' })).mode, 'task')
})
