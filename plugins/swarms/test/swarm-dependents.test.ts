import assert from 'node:assert/strict'
import { test } from 'node:test'
import { active, claim, get, plan, start, update } from './support.ts'

const statuses = async (gateway: Parameters<typeof get>[0], swarm: Parameters<typeof get>[1]) =>
  (await get(gateway, swarm)).children.map(({ status }) => status)
const review = { dependents: 'review' }

test('a child in review holds its dependents back, unless the plan says that review releases them', async () => {
  for (const [args, taken] of [
    [{}, undefined],
    [{ dependents: 'done' }, undefined],
    [review, 'second'],
  ] as const) {
    await using gateway = await start()
    const { swarm, children } = await active(gateway, args)
    assert.equal(swarm.dependents, 'dependents' in args ? args.dependents : 'done')
    await update(gateway, children[0]?.taskId, { status: 'review' })
    assert.equal((await claim(gateway))?.title, taken)
  }
})

test('if a child is sent back from review, dependents that nobody has claimed wait again', async () => {
  await using gateway = await start()
  const { children } = await active(gateway, review)
  await update(gateway, children[0]?.taskId, { status: 'review' })
  await update(gateway, children[0]?.taskId, { status: 'pending' })
  assert.equal((await claim(gateway))?.title, 'first')
  assert.equal(await claim(gateway), undefined)
  await update(gateway, children[0]?.taskId, { status: 'done' })
  assert.equal((await claim(gateway))?.title, 'second')
})

test('a dependent that somebody works on stays with its worker when the child before it is sent back', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, review)
  await update(gateway, children[0]?.taskId, { status: 'review' })
  const second = await claim(gateway)
  await update(gateway, children[0]?.taskId, { status: 'pending' })
  assert.deepEqual(await statuses(gateway, swarm), ['pending', 'working'])
  await update(gateway, second.taskId, { status: 'pending', claimId: second.claimId })
  assert.equal((await claim(gateway))?.title, 'first', 'given back, it waits again')
  assert.equal(await claim(gateway), undefined)
})

test('a child that goes from review to done releases its dependents once', async () => {
  await using gateway = await start()
  const three = [{ title: 'a' }, { title: 'b' }, { title: 'c', dependsOnIndexes: [0, 1] }]
  const { children } = await active(gateway, { ...review, children: three })
  await update(gateway, children[0]?.taskId, { status: 'review' })
  await update(gateway, children[0]?.taskId, { status: 'done' })
  assert.equal((await claim(gateway))?.title, 'b')
  assert.equal(await claim(gateway), undefined)
  await update(gateway, children[1]?.taskId, { status: 'review' })
  assert.equal((await claim(gateway))?.title, 'c')
})

test('a task outside of the swarm waits for a child until it is done', async () => {
  await using gateway = await start()
  const { children } = await active(gateway, { ...review, children: [{ title: 'first' }] })
  await gateway.call('tasks_create', { repo: 'web', title: 'outside', dependsOn: [children[0]?.taskId] })
  await update(gateway, children[0]?.taskId, { status: 'review' })
  assert.equal(await claim(gateway), undefined)
  await update(gateway, children[0]?.taskId, { status: 'done' })
  assert.equal((await claim(gateway))?.title, 'outside')
})

test('dependents of any other status is refused, and nothing is planned', async () => {
  await using gateway = await start()
  await assert.rejects(plan(gateway, { dependents: 'working' }), { code: 'BAD_REQUEST' })
  assert.equal((await gateway.call('swarm_list')).swarms.length, 0)
})
