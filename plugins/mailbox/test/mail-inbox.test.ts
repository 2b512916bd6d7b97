import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inbox, send, start, subjects } from './support.ts'

test('unread messages come newest first, also among those of one moment', async () => {
  await using gateway = await start()
  for (const subject of ['a', 'b', 'c']) await send(gateway, { subject })
  gateway.clock.advance(1)
  await send(gateway, { subject: 'd' })
  assert.deepEqual(await subjects(gateway), ['d', 'c', 'b', 'a'])
})

test('newest first holds across the addresses of a set', async () => {
  await using gateway = await start()
  for (const [i, to] of ['web', 'ada', 'web', 'host/web', 'ada'].entries()) {
    gateway.clock.advance(i % 2)
    await send(gateway, { to, subject: String(i) })
  }
  const to = ['web', 'ada', 'host/web']
  assert.deepEqual(await subjects(gateway, { to }), ['4', '3', '2', '1', '0'])
  assert.deepEqual(await subjects(gateway, { to, limit: 2 }), ['4', '3'])
  assert.deepEqual(await subjects(gateway, { to, includeAcked: true }), ['4', '3', '2', '1', '0'])
})

test('reading acks nothing', async () => {
  await using gateway = await start()
  await send(gateway)
  const first = await inbox(gateway)
  assert.equal(first.messages[0]?.acked, false)
  assert.deepEqual(await inbox(gateway), first)
})

test('acked messages are left out, unless includeAcked asks for them', async () => {
  await using gateway = await start()
  const done = await send(gateway, { subject: 'done' })
  await send(gateway, { subject: 'waiting' })
  await gateway.call('mail_ack', { id: done.messageId })
  assert.deepEqual(await subjects(gateway), ['waiting'])
  assert.deepEqual(await subjects(gateway, { includeAcked: false }), ['waiting'])
  const all = await inbox(gateway, { includeAcked: true })
  assert.deepEqual(
    all.messages.map(({ subject, acked }) => [subject, acked]),
    [
      ['waiting', false],
      ['done', true],
    ],
  )
  assert.equal(all.unreadCount, 1)
})

test('unreadCount counts all that is unread for these addresses, whatever the limit', async () => {
  await using gateway = await start()
  const sent = await Promise.all(Array.from({ length: 7 }, () => send(gateway)))
  await send(gateway, { to: 'ada' })
  await send(gateway, { to: 'other' })
  await gateway.call('mail_ack', { id: sent[0]?.messageId })
  const page = await inbox(gateway, { limit: 2 })
  assert.deepEqual([page.messages.length, page.unreadCount], [2, 6])
  assert.equal((await inbox(gateway, { to: ['web', 'ada'], limit: 1 })).unreadCount, 7)
})

test('an address is read in any case, each address of a set once', async () => {
  await using gateway = await start()
  await send(gateway)
  for (const to of ['WEB', ' Web ', ['web', 'WEB', 'Web'], 'web,ada,Web']) {
    assert.deepEqual([(await inbox(gateway, { to })).unreadCount, (await subjects(gateway, { to })).length], [1, 1])
  }
})

test('an address gets its own mail only', async () => {
  await using gateway = await start()
  await send(gateway, { to: 'host/web' })
  for (const to of ['host', 'web', 'host/we', 'host/web/x', '%', 'host/_eb']) assert.equal((await inbox(gateway, { to })).unreadCount, 0)
  assert.equal((await inbox(gateway, { to: 'host/web' })).unreadCount, 1)
})

test('50 messages without a limit, at most 200 with one', async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 201 }, () => send(gateway)))
  assert.equal((await subjects(gateway)).length, 50)
  assert.equal((await subjects(gateway, { limit: 200 })).length, 200)
  const page = await inbox(gateway, { limit: 5_000 })
  assert.deepEqual([page.messages.length, page.unreadCount], [200, 201])
})

test('a wrong argument is refused with its name', async () => {
  await using gateway = await start()
  const many = Array.from({ length: 51 }, (_, i) => `host-${i}`)
  for (const [field, args] of [
    ['to', { to: 'a b' }],
    ['to', { to: ['web', 'a//b'] }],
    ['to', { to: [] }],
    ['to', { to: many }],
    ['to', { to: many.join() }],
    ['to', { to: 7 }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 1.5 }],
    ['includeAcked', { includeAcked: 'yes' }],
    ['unread', { unread: true }],
  ] as const) {
    await assert.rejects(inbox(gateway, args), (error: { code: string; message: string }) => {
      assert.equal(error.code, 'BAD_REQUEST')
      assert.match(error.message, new RegExp(`^\`${field}`))
      return true
    })
  }
  assert.equal((await inbox(gateway, { to: many.slice(1) })).unreadCount, 0)
})

test('GET /api/mail takes addresses repeated or with commas, and the same arguments', async () => {
  await using gateway = await start()
  await send(gateway, { subject: 'first' })
  await send(gateway, { to: 'host/ada', subject: 'second' })
  const get = async (query: string) => (await gateway.inject({ method: 'GET', url: `/api/mail?${query}` })).json()
  const expected = await inbox(gateway, { to: ['web', 'host/ada'] })
  assert.equal(expected.unreadCount, 2)
  assert.deepEqual(await get('to=web&to=host/ada'), expected)
  assert.deepEqual(await get('to=web,Host%2FAda'), expected)
  assert.deepEqual(await get('to=web'), await inbox(gateway))
  assert.deepEqual(
    await get('to=web,host/ada&limit=1&includeAcked=true'),
    await inbox(gateway, { to: ['web', 'host/ada'], limit: 1, includeAcked: true }),
  )
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/mail?to=a%20b' })).status, 400)
})

test('another tenant’s mail to the same address is not there', async () => {
  await using gateway = await start()
  await send(gateway)
  const other = await gateway.call('mail_inbox', { to: 'web', includeAcked: true }, { as: { tenantId: 'acme' } })
  assert.deepEqual(other, { messages: [], unreadCount: 0 })
})
