import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { inbox, send, start, subjects, type TestGateway } from './support.ts'

/** Resolves when the calls made before have looked and wait. */
async function settled(gateway: TestGateway): Promise<void> {
  for (let i = 0; i < 3; i++) await inbox(gateway, { to: 'nowhere' })
}

test('an inbox that waits is answered when mail comes to one of its addresses', async () => {
  await using gateway = await start()
  let answered = false
  const call = inbox(gateway, { to: ['Web', 'ada'], waitSeconds: 55 }).finally(() => (answered = true))
  await settled(gateway)
  await send(gateway, { to: 'other' })
  await settled(gateway)
  assert.equal(answered, false)
  await send(gateway, { to: 'ADA', subject: 'hello' })
  const { messages, unreadCount } = await call
  assert.deepEqual([messages.map(({ subject }) => subject), unreadCount], [['hello'], 1])
})

test('every inbox of an address gets the mail, because reading takes nothing', async () => {
  await using gateway = await start()
  const calls = [inbox(gateway, { waitSeconds: 55 }), inbox(gateway, { waitSeconds: 55 }), inbox(gateway, { waitSeconds: 55, limit: 1 })]
  await settled(gateway)
  const sent = await send(gateway, { subject: 'news' })
  for (const { messages } of await Promise.all(calls)) assert.equal(messages[0]?.messageId, sent.messageId)
})

test('with mail in it an inbox does not wait, and without it answers empty when the time is up', async () => {
  await using gateway = await start()
  const sent = await send(gateway)
  assert.equal((await inbox(gateway, { waitSeconds: 55 })).messages.length, 1)
  await gateway.call('mail_ack', { id: sent.messageId })
  assert.equal((await inbox(gateway, { waitSeconds: 55, includeAcked: true })).messages.length, 1)
  const call = inbox(gateway, { waitSeconds: 2 })
  await settled(gateway)
  gateway.clock.advance(2)
  assert.deepEqual(await call, { messages: [], unreadCount: 0 })
  assert.deepEqual(await subjects(gateway), [])
  await assert.rejects(inbox(gateway, { waitSeconds: 56 }), refusal('BAD_REQUEST', 'waitSeconds'))
})
