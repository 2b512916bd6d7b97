import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inbox, send, start } from './support.ts'

test('an acked message says who handled it and when, and no longer waits', async () => {
  await using gateway = await start()
  const sent = await send(gateway)
  gateway.clock.advance(60)
  const { message } = await gateway.call('mail_ack', { id: sent.messageId, ackedBy: 'Grace' })
  assert.deepEqual(message, { ...sent, acked: true, ackedBy: 'Grace', ackedByPrincipal: 'operator', ackedAt: '2026-01-05T09:01:00.000Z' })
  assert.deepEqual(await inbox(gateway), { messages: [], unreadCount: 0 })
  await gateway.restart()
  assert.deepEqual((await inbox(gateway, { includeAcked: true })).messages, [message])
})

test('without ackedBy it is the caller', async () => {
  await using gateway = await start()
  const { messageId } = await send(gateway)
  const { message } = await gateway.call('mail_ack', { id: messageId }, { as: { id: 'runner-7' } })
  assert.equal(message.ackedBy, 'runner-7')
})

test('acking twice succeeds and changes nothing: the first one stays', async () => {
  await using gateway = await start()
  const { messageId } = await send(gateway)
  const first = await gateway.call('mail_ack', { id: messageId, ackedBy: 'ada' })
  gateway.clock.advance(60)
  assert.deepEqual(await gateway.call('mail_ack', { id: messageId, ackedBy: 'grace' }), first)
})

test('a hundred acks at once leave one ackedBy, and all are told the same', async () => {
  await using gateway = await start()
  const { messageId } = await send(gateway)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => gateway.call('mail_ack', { id: messageId, ackedBy: `agent-${i}` })),
  )
  const [stored] = (await inbox(gateway, { includeAcked: true })).messages
  assert.match(stored?.ackedBy ?? '', /^agent-\d+$/)
  for (const { message } of answers) assert.deepEqual(message, stored)
})

test('acking one message leaves the others waiting', async () => {
  await using gateway = await start()
  const first = await send(gateway)
  const second = await send(gateway)
  await gateway.call('mail_ack', { id: first.messageId })
  assert.deepEqual(await inbox(gateway), { messages: [second], unreadCount: 1 })
})

test('an id the tenant does not have is NOT_FOUND, and nothing changes', async () => {
  await using gateway = await start()
  const sent = await send(gateway)
  await assert.rejects(gateway.call('mail_ack', { id: 'mail-none' }), {
    code: 'NOT_FOUND',
    status: 404,
    message: 'No message with id "mail-none" in this tenant.',
  })
  await assert.rejects(gateway.call('mail_ack', { id: sent.messageId }, { as: { tenantId: 'acme' } }), { code: 'NOT_FOUND' })
  assert.deepEqual((await inbox(gateway)).messages, [sent])
})

test('a wrong argument is refused with its name', async () => {
  await using gateway = await start()
  for (const [field, args] of [
    ['id', {}],
    ['id', { id: '' }],
    ['id', { id: 7 }],
    ['ackedBy', { id: 'mail-1', ackedBy: 7 }],
  ] as const) {
    await assert.rejects(gateway.call('mail_ack', args), (error: { code: string; details: { field: string } }) => {
      assert.deepEqual([error.code, error.details.field], ['BAD_REQUEST', field])
      return true
    })
  }
})

test('POST /api/mail/:id/ack acks, with a body or without', async () => {
  await using gateway = await start()
  const first = await send(gateway)
  const second = await send(gateway)
  const ack = (id: string, body?: object) => gateway.inject({ method: 'POST', url: `/api/mail/${id}/ack`, ...(body && { body }) })
  const named = await ack(first.messageId, { ackedBy: 'ada' })
  assert.deepEqual([named.status, named.json().message.ackedBy], [200, 'ada'])
  const bare = await ack(second.messageId)
  assert.deepEqual([bare.status, bare.json().message.ackedBy], [200, 'operator'])
  const unknown = await ack('mail-none')
  assert.deepEqual([unknown.status, unknown.json().code], [404, 'NOT_FOUND'])
})

test('an acked request waits to be taken on no longer', async () => {
  await using gateway = await start()
  const sent = await send(gateway, { kind: 'request' })
  assert.equal(sent.actionable, true)
  const { message } = await gateway.call('mail_ack', { id: sent.messageId })
  assert.deepEqual([message.acked, message.actionable], [true, undefined])
})
