import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import trash from '../src/index.ts'
import family from './family.ts'

const start = (options: Partial<TestGatewayOptions> = {}) => startTestGateway({ plugins: [trash, family], ...options })
const remove = (gateway: TestGateway, args: object) => gateway.call('test_remove', { kind: 'task', itemIds: ['task-1'], ...args })
const DAY = 86_400

async function labels(gateway: TestGateway, args: object = {}): Promise<string[]> {
  const { entries } = await gateway.call('trash_list', args)
  return entries.map(({ label }: { label: string }) => label)
}

test('an entry says what it was, who removed it and why, until when it is kept and what restores it', async () => {
  await using gateway = await start()
  await remove(gateway, { repo: 'web', reason: 'twice', payload: { secret: 1 } })
  const { entries } = await gateway.call('trash_list')
  const [{ trashId, ...entry }] = entries
  assert.match(trashId, /^trash-\w+$/)
  assert.deepEqual(entry, {
    kind: 'task',
    itemId: 'task-1',
    label: 'The task-1',
    repo: 'web',
    itemCount: 1,
    deletedBy: 'ada',
    reason: 'twice',
    deletedAt: '2026-01-05T09:00:00.000Z',
    purgeAfter: '2026-02-04T09:00:00.000Z',
    restoreTool: 'tasks_restore',
  })
})

test('newest first, also among those removed at the same time', async () => {
  await using gateway = await start()
  await remove(gateway, { itemIds: ['a', 'b', 'c'] })
  gateway.clock.advance(1)
  await remove(gateway, { itemIds: ['d'] })
  assert.deepEqual(await labels(gateway), ['The d', 'The c', 'The b', 'The a'])
})

test('kind and repo narrow the list, alone and together', async () => {
  await using gateway = await start()
  await remove(gateway, { itemIds: ['a'], repo: 'web' })
  await remove(gateway, { itemIds: ['b'], repo: 'api' })
  await remove(gateway, { itemIds: ['c'], repo: 'web', kind: 'plan' })
  assert.deepEqual(await labels(gateway, { repo: 'web' }), ['The c', 'The a'])
  assert.deepEqual(await labels(gateway, { kind: 'task' }), ['The b', 'The a'])
  assert.deepEqual(await labels(gateway, { kind: 'plan' }), ['The c'])
  assert.deepEqual(await labels(gateway, { kind: 'task', repo: 'web' }), ['The a'])
  assert.deepEqual(await labels(gateway, { repo: 'none' }), [])
})

test('kind takes only task and plan', async () => {
  await using gateway = await start()
  await assert.rejects(gateway.call('trash_list', { kind: 'swarm' }), {
    code: 'BAD_REQUEST',
    details: { field: 'kind', message: '`kind` must be one of task, plan; got "swarm".' },
  })
})

test('an entry is there to the last moment of its retention, and not after it', async () => {
  await using gateway = await start()
  await remove(gateway, {})
  gateway.clock.advance(30 * DAY - 1)
  assert.deepEqual(await labels(gateway), ['The task-1'])
  gateway.clock.advance(1)
  assert.deepEqual(await labels(gateway), [])
})

test('TRASH_RETENTION_DAYS sets the retention of what is removed from then on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trash-'))
  {
    await using gateway = await start({ dataDir })
    await remove(gateway, { itemIds: ['before'] })
  }
  await using gateway = await start({ dataDir, env: { TRASH_RETENTION_DAYS: '2' } })
  await remove(gateway, { itemIds: ['after'] })
  gateway.clock.advance(2 * DAY)
  assert.deepEqual(await labels(gateway), ['The before'])
  await rm(dataDir, { recursive: true })
})

test('a retention that is no whole number of days from 1 stops the start', async () => {
  for (const days of ['0', '-1', '1.5', 'month']) {
    await assert.rejects(
      start({ env: { TRASH_RETENTION_DAYS: days } }),
      /plugin 'trash' failed in config: .*(retentionDays|TRASH_RETENTION_DAYS)/,
    )
  }
})

test('50 entries without a limit, at most 200 with one', async () => {
  await using gateway = await start()
  await remove(gateway, { itemIds: Array.from({ length: 201 }, (_, i) => `t${i}`) })
  assert.equal((await labels(gateway)).length, 50)
  assert.deepEqual(await labels(gateway, { limit: 2 }), ['The t200', 'The t199'])
  assert.equal((await labels(gateway, { limit: 5_000 })).length, 200)
})

test('a longer list comes page by page', async () => {
  await using gateway = await start()
  await remove(gateway, { itemIds: ['a', 'b', 'c'], repo: 'web' })
  await remove(gateway, { itemIds: ['d'], repo: 'api' })
  const first = await gateway.call('trash_list', { repo: 'web', limit: 2 })
  gateway.clock.advance(1)
  await remove(gateway, { itemIds: ['e'], repo: 'web' })
  const second = await gateway.call('trash_list', { repo: 'web', limit: 2, cursor: first.nextCursor })
  const shown = [first, second].map(({ entries }) => entries.map(({ label }: { label: string }) => label))
  assert.deepEqual([shown, second.nextCursor], [[['The c', 'The b'], ['The a']], undefined])
  await assert.rejects(gateway.call('trash_list', { cursor: 'x' }), { code: 'BAD_REQUEST', message: /^`?cursor/ })
})

test('a limit that is no whole number from 1 is refused', async () => {
  await using gateway = await start()
  for (const limit of [0, -1, 1.5, 'five']) {
    await assert.rejects(gateway.call('trash_list', { limit }), { code: 'BAD_REQUEST', message: /`limit`/ })
  }
})

test('without its family an entry stays listed, without a tool that restores it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trash-'))
  {
    await using gateway = await start({ dataDir })
    await remove(gateway, {})
  }
  await using gateway = await start({ dataDir, config: { 'test-family': false } })
  const { entries } = await gateway.call('trash_list')
  assert.equal(entries.length, 1)
  assert.equal('restoreTool' in entries[0], false)
  await rm(dataDir, { recursive: true })
})

test('GET /api/trash is the same list', async () => {
  await using gateway = await start()
  await remove(gateway, { itemIds: ['a', 'b'], repo: 'web' })
  await remove(gateway, { itemIds: ['c'], repo: 'api' })
  const response = await gateway.inject({ method: 'GET', url: '/api/trash?repo=web&kind=task&limit=1' })
  assert.equal(response.status, 200)
  assert.deepEqual(response.json(), await gateway.call('trash_list', { repo: 'web', kind: 'task', limit: 1 }))
  assert.equal(response.json().entries[0].label, 'The b')
})

test('another tenant sees none of it', async () => {
  await using gateway = await start()
  await remove(gateway, {})
  assert.deepEqual(await gateway.call('trash_list', {}, { as: { tenantId: 'acme' } }), { entries: [] })
})
