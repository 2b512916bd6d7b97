import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphRow } from '../src/rules/graph-rows.ts'
import { commit, start, type TestGateway } from './support.ts'

interface Graph {
  readonly commits: readonly GraphRow[]
  readonly branches: number
  readonly more: boolean
}
const graph = (gateway: TestGateway, args: object = {}): Promise<Graph> => gateway.call('brain.graph', args)
const subjects = ({ commits }: Graph): string[] => commits.map(({ subject }) => subject)

test('the graph of the brain shows where branches left main, where they end, and where they were merged', async () => {
  await using gateway = await start()
  assert.deepEqual(await graph(gateway), { commits: [], branches: 0, more: false })
  await commit(gateway, { slug: 'begun' })
  gateway.clock.advance(60)
  await gateway.call('brain_branch', { slug: 'gate' })
  await commit(gateway, { slug: 'gate' })
  gateway.clock.advance(60)
  await gateway.call('brain_checkout', { ref: 'main' })
  await commit(gateway, { slug: 'meanwhile' })
  const open = await graph(gateway)
  const [main, gate, begun] = open.commits as [GraphRow, GraphRow, GraphRow]
  assert.deepEqual([main.branch, gate.branch, begun.branch], ['main', 'idea/gate', undefined])
  assert.deepEqual([main.parents, gate.parents], [[begun.sha], [begun.sha]])
  assert.deepEqual([main.trunk, gate.trunk, begun.trunk], [true, false, true])
  assert.equal(open.branches, 1)
  gateway.clock.advance(60)
  const { commit: merge } = await gateway.call('brain_merge', { branch: 'idea/gate' })
  const [newest] = (await graph(gateway)).commits as [GraphRow]
  assert.equal(newest.sha, merge)
  assert.deepEqual(newest.parents, [main.sha, gate.sha])
  assert.equal(newest.before, main.sha)
})

test('the graph of one repo joins the commits about it, and that of one branch leaves the others out', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'one' })
  await commit(gateway, { slug: 'other', repo: 'api' })
  await commit(gateway, { slug: 'two' })
  const web = await graph(gateway, { repo: 'web' })
  assert.equal(web.commits.length, 2)
  assert.deepEqual(web.commits[0]?.parents, [web.commits[1]?.sha])
  assert.deepEqual(
    web.commits.map(({ trunk }) => trunk),
    [true, true],
  )
  for (const slug of ['a', 'b']) {
    await gateway.call('brain_branch', { slug, kind: 'session' })
    await commit(gateway, { slug: `on-${slug}` })
  }
  const branches = (found: Graph) => found.commits.flatMap(({ branch }) => branch ?? []).sort()
  assert.deepEqual(branches(await graph(gateway)), ['main', 'session/a', 'session/b'])
  assert.deepEqual(branches(await graph(gateway, { branch: 'session/a' })), ['main', 'session/a'])
  assert.deepEqual(branches(await graph(gateway, { branch: 'main' })), ['main'])
})

test('the graph is limited, and refuses a branch that is not open by name', async () => {
  await using gateway = await start()
  for (const slug of ['one', 'two', 'three']) await commit(gateway, { slug })
  const two = await graph(gateway, { limit: 2 })
  assert.deepEqual([subjects(two).length, two.more], [2, true])
  await assert.rejects(graph(gateway, { branch: 'session/gone' }), { code: 'NOT_FOUND' })
  await assert.rejects(graph(gateway, { branch: '--all' }), /`branch` must be main/)
  await assert.rejects(graph(gateway, { repo: '../x' }), /`repo` must be the name of a repo/)
})

test('commits of the same second come before those that they follow', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'one' })
  await gateway.call('brain_branch', { slug: 'side' })
  await commit(gateway, { slug: 'two' })
  await gateway.call('brain_checkout', { ref: 'main' })
  for (const slug of ['three', 'four', 'five']) await commit(gateway, { slug })
  const { commits } = await graph(gateway)
  const order = commits.map(({ sha }) => sha)
  for (const [index, { parents }] of commits.entries()) for (const parent of parents) assert.ok(order.indexOf(parent) > index)
})
