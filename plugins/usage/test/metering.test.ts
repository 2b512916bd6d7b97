import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeContext } from '@gateway/testing'
import fc from 'fast-check'
import { Meter } from '../src/operations/meter.ts'
import { meant } from '../src/rules/meant.ts'
import { OTHER, Tally } from '../src/rules/tally.ts'
import { typeOf } from '../src/rules/type.ts'
import { Tallies } from '../src/services/tallies.ts'
import { breakdown, start } from './support.ts'

const ada = { as: { id: 'ada', kind: 'user', role: 'member', tenantId: 'local' } } as const

test('served calls are counted by tool, member, repo and day, and are there after a stop', async () => {
  await using gateway = await start()
  gateway.clock.set('2026-03-14T23:30:00Z')
  await gateway.call('work_do', { repo: 'web' }, ada)
  gateway.clock.set('2026-03-15T10:00:00Z')
  await gateway.call('work_do', { repo: 'web' }, ada)
  await gateway.call('work_other', {}, { as: { ...ada.as, id: 'bob' } })
  const { byTool, byMember, byRepo, byDay, total, metering } = await breakdown(gateway)
  assert.deepEqual(
    [byTool, total, metering],
    [
      [
        { tool: 'work_do', quantity: 2 },
        { tool: 'work_other', quantity: 1 },
      ],
      3,
      true,
    ],
  )
  assert.deepEqual(byMember, [
    { member: 'ada', quantity: 2 },
    { member: 'bob', quantity: 1 },
  ])
  assert.deepEqual(byRepo, [{ repo: 'web', quantity: 2 }])
  assert.deepEqual(byDay, [
    { day: '2026-03-14', quantity: 1 },
    { day: '2026-03-15', quantity: 2 },
  ])
})

test('a key that was issued for a task counts as its issuer, so that tasks take the place of no member', async () => {
  await using gateway = await start({ maxMembers: 2 })
  await gateway.call('work_do', {}, ada)
  for (const task of ['t1', 't2', 't3']) {
    const issued = { id: `task:${task}`, kind: 'api-key', label: task, issuedBy: { id: 'ada' } } as const
    await gateway.call('work_do', {}, { as: { ...ada.as, ...issued } })
  }
  await gateway.call('work_do', {}, { as: { ...ada.as, id: 'bob' } })
  assert.deepEqual((await breakdown(gateway)).byMember, [
    { member: 'ada', quantity: 4 },
    { member: 'bob', quantity: 1 },
  ])
})

test('what was refused, what failed, and what the gateway does by itself is no use', async () => {
  await using gateway = await start()
  await assert.rejects(gateway.call('work_fail'))
  await assert.rejects(gateway.call('work_do', { nothing: 1 }))
  await gateway.runJob('usage.hour-retention')
  assert.equal((await breakdown(gateway)).total, 0)
})

test('a repo whose name no store can keep takes no other count along', async () => {
  await using gateway = await start()
  const repos = Array.from({ length: 60 }, (_, i) => `r${i}`)
  for (const repo of ['a\0b', 'half \ud800', ...repos]) await gateway.call('work_do', { repo }, ada)
  const { byRepo, byTool, total } = await breakdown(gateway)
  assert.deepEqual(new Set((byRepo as { repo: string }[]).map(({ repo }) => repo)), new Set(repos))
  assert.deepEqual([byTool, total], [[{ tool: 'work_do', quantity: 62 }], 62])
})

test('counts of a tenant are seen there alone', async () => {
  await using gateway = await start()
  await gateway.call('work_do', {}, { as: { ...ada.as, tenantId: 'acme' } })
  await gateway.restart()
  assert.equal((await gateway.call('usage_summary')).total, 0)
  assert.equal((await gateway.call('usage_summary', {}, { as: { ...ada.as, tenantId: 'acme' } })).total, 1)
})

test('counts are stored in the background while the gateway runs', async () => {
  await using gateway = await start({ flushSeconds: 0.1 })
  await gateway.call('work_do')
  while (((await gateway.documents())['usage.counts'] ?? []).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  await gateway.call('work_do')
  assert.deepEqual((await breakdown(gateway)).byTool, [{ tool: 'work_do', quantity: 2 }])
})

test('more members and repos than are told apart count together, also over restarts and flushes', async () => {
  await using gateway = await start({ maxMembers: 2, maxRepos: 3 })
  for (let i = 0; i < 6; i++) {
    await gateway.call('work_do', { repo: `r${i}` }, { as: { ...ada.as, id: `m${i}` } })
    if (i % 2 === 1) await gateway.restart()
  }
  await gateway.call('work_do', { repo: 'r0' }, { as: { ...ada.as, id: 'm0' } })
  const { byMember, byRepo } = await breakdown(gateway)
  assert.deepEqual(byMember, [
    { member: '(other)', quantity: 4 },
    { member: 'm0', quantity: 2 },
    { member: 'm1', quantity: 1 },
  ])
  assert.deepEqual(byRepo, [
    { repo: '(other)', quantity: 3 },
    { repo: 'r0', quantity: 2 },
    { repo: 'r1', quantity: 1 },
    { repo: 'r2', quantity: 1 },
  ])
})

test('switched off, nothing is counted and the totals are empty', async () => {
  await using gateway = await start({ metering: false })
  await gateway.call('work_do')
  const { byTool, total, metering } = await breakdown(gateway)
  assert.deepEqual([byTool, total, metering], [[], 0, false])
  assert.deepEqual((await gateway.documents())['usage.counts'] ?? [], [])
})

test('a store that fails costs counts and a warning, never a call', async () => {
  const ctx = fakeContext()
  const failing = { upsert: () => Promise.reject(new Error('the disk is full')), find: async () => ({ items: [] }) }
  const config = { metering: true, flushSeconds: 300, maxMembers: 5, maxRepos: 5, keepHoursDays: 35, keepDays: 400 }
  const meter = new Meter({ counts: Object.assign(async () => [], { of: () => failing as never }), config, tallies: new Tallies() }, ctx)
  meter.observe({ tool: 't', kind: 'tool', tenantId: 'local', principal: ctx.principal, via: 'mcp', outcome: 'ok', durationMs: 1 })
  await meter.close()
  assert.match(ctx.lines.map(({ message }) => message).join(), /usage could not be stored/)
})

test('what a call counts as', () => {
  const call = {
    kind: 'tool',
    tool: 't',
    via: 'mcp',
    outcome: 'ok',
    principal: { id: 'a', kind: 'user', role: 'member', tenantId: 'x' },
  } as const
  assert.equal(typeOf(call), 'tool_call')
  assert.equal(typeOf({ ...call, via: 'job' }), 'scheduled_call')
  assert.equal(typeOf({ ...call, kind: 'route' }), 'api_call')
  assert.equal(typeOf({ ...call, kind: 'run', tool: 'resource work://one' }), 'resource_read')
  assert.equal(typeOf({ ...call, kind: 'run', tool: 'prompt p' }), 'prompt_get')
  assert.equal(typeOf({ ...call, kind: 'run', tool: 'job j' }), undefined)
  assert.equal(typeOf({ ...call, outcome: 'FORBIDDEN' }), undefined)
  assert.equal(typeOf({ ...call, inner: true }), undefined)
  assert.equal(typeOf({ ...call, inner: true, via: 'job' }), 'scheduled_call')
  assert.equal(typeOf({ ...call, principal: { ...call.principal, kind: 'system' } }), undefined)
})

test('a call that is passed on counts as the tool that it is passed on to, and its repo', () => {
  const args = { tool: 'tasks_list', arguments: { repo: 'web' } }
  assert.deepEqual(meant({ tool: 'tools_call_read', args }), { tool: 'tasks_list', args: { repo: 'web' } })
  assert.deepEqual(meant({ tool: 'tasks_list', args: { tool: 'x_y' } }), { tool: 'tasks_list', args: { tool: 'x_y' } })
  assert.deepEqual(meant({ tool: 'tools_call_read', args: { tool: 'No tool' } }), { tool: 'tools_call_read', args: { tool: 'No tool' } })
})

test('a tally loses no count, and tells no more values apart than it may', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.integer({ min: 1, max: 9 }))), fc.integer({ min: 1, max: 5 }), (adds, max) => {
      const tally = new Tally(0, max)
      for (const [value, quantity] of adds) tally.add('repo', value, quantity)
      const entries = [...tally.entries()]
      assert.equal(
        entries.reduce((sum, [, , quantity]) => sum + quantity, 0),
        adds.reduce((sum, [, quantity]) => sum + quantity, 0),
      )
      assert.ok(entries.filter(([, value]) => value !== OTHER).length <= max)
    }),
  )
})
