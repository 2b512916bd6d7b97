import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read, ring, start, texts } from './support.ts'

test('each event is read once, in the order of the changes, by going on from the cursor', async () => {
  await using gateway = await start()
  await ring(gateway, ['a', 'b'])
  await ring(gateway, ['c'])
  const first = await read(gateway, { limit: 2 })
  assert.deepEqual([texts(first), first.more, first.gap], [['a', 'b'], true, false])
  const second = await read(gateway, { since: first.cursor })
  assert.deepEqual([texts(second), second.more], [['c'], false])
  assert.deepEqual((await read(gateway, { since: second.cursor })).events, [])
  await ring(gateway, ['d'])
  assert.deepEqual(texts(await read(gateway, { since: second.cursor })), ['d'])
  const { id, event, at, cursor } = first.events[0]
  assert.match(id, /^event-/)
  assert.deepEqual([event, at, cursor], ['bell.rang', new Date(gateway.clock.now()).toISOString(), '1'])
})

test('an event of a change that was rolled back is not in the journal', async () => {
  await using gateway = await start()
  await assert.rejects(ring(gateway, ['never'], { breaks: true }))
  await ring(gateway, ['a'])
  assert.deepEqual(texts(await read(gateway)), ['a'])
})

test('the journal and its cursors outlive a restart', async () => {
  await using gateway = await start()
  await ring(gateway, ['a', 'b'])
  const { cursor } = await read(gateway, { limit: 1 })
  await ring(gateway, ['c'])
  await gateway.restart()
  assert.deepEqual(texts(await read(gateway, { since: cursor })), ['b', 'c'])
})

test('a tenant reads its own events only', async () => {
  await using gateway = await start()
  await ring(gateway, ['mine'], {}, { as: { tenantId: 'acme', role: 'member' } })
  await ring(gateway, ['other'], {}, { as: { tenantId: 'other', role: 'member' } })
  assert.deepEqual(texts(await read(gateway, {}, { as: { tenantId: 'acme', role: 'viewer' } })), ['mine'])
})

test('a filter returns events by name, and the cursor passes the others', async () => {
  await using gateway = await start()
  await ring(gateway, ['a', 'b'])
  await ring(gateway, ['t'], { toll: true })
  await ring(gateway, ['c'])
  const page = await read(gateway, { events: ['bell.tolled'] })
  assert.deepEqual([texts(page), page.cursor, page.more], [['t'], '4', false])
})

test('latest begins at the end, and newest shows the latest first', async () => {
  await using gateway = await start()
  await ring(gateway, ['a', 'b', 'c'])
  const { cursor, events } = await read(gateway, { since: 'latest' })
  assert.deepEqual([cursor, events], ['3', []])
  assert.deepEqual(texts(await read(gateway, { newest: true, limit: 2 })), ['c', 'b'])
})

test('a cursor that is none of this journal is refused by the name of the field', async () => {
  await using gateway = await start()
  await ring(gateway, ['a'])
  for (const since of ['2', 'x', '-1', '01', '2026-01-01'])
    await assert.rejects(read(gateway, { since }), { code: 'BAD_REQUEST', message: /since must be a cursor/ })
})

test('the oldest events beyond the number and the age are removed, and a reader that missed them is told of the gap', async () => {
  await using gateway = await start({ kept: 100, retentionDays: 1 })
  await ring(
    gateway,
    Array.from({ length: 150 }, (_, i) => `${i}`),
  )
  const { cursor } = await read(gateway, { limit: 10 })
  await ring(gateway, ['last'])
  await gateway.runJob('events.retention')
  const page = await read(gateway, { since: cursor, limit: 500 })
  assert.deepEqual([page.gap, page.events.length, texts(page)[0]], [true, 100, '51'])
  assert.equal((await read(gateway, { limit: 500 })).gap, false)
  gateway.clock.advance(2 * 86_400_000)
  await ring(gateway, ['today'])
  await gateway.runJob('events.retention')
  assert.deepEqual(texts(await read(gateway, { limit: 500 })), ['today'])
})

test('a reader that began before the first event is told of the gap, one without a cursor has none', async () => {
  await using gateway = await start({ kept: 100 })
  const { cursor } = await read(gateway)
  assert.equal(cursor, '0')
  await ring(gateway, ['first'])
  assert.equal((await read(gateway, { since: cursor })).gap, false)
  await ring(
    gateway,
    Array.from({ length: 150 }, (_, i) => `${i}`),
  )
  await gateway.runJob('events.retention')
  const { gap, events } = await read(gateway, { since: cursor, limit: 10 })
  assert.deepEqual([gap, events[0].cursor], [true, '52'])
  for (const query of [{}, { since: '' }, { since: 'latest' }]) assert.equal((await read(gateway, query)).gap, false)
})

test('data beyond the limit is left out, and its size is told', async () => {
  await using gateway = await start({ maxDataBytes: 1_024 })
  await ring(gateway, ['x'.repeat(2_000)])
  const { data, omittedBytes } = (await read(gateway)).events[0]
  assert.deepEqual([data, omittedBytes], [null, 2_011])
})
