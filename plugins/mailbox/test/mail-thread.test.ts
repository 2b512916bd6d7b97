import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import type { Message } from '../src/api.ts'
import { send, start } from './support.ts'

const thread = async (gateway: TestGateway, id: string) => (await gateway.inject({ method: 'GET', url: `/api/mail/${id}/thread` })).json()
const subjectsOf = ({ messages }: { messages: readonly Message[] }): string[] => messages.map(({ subject }) => subject)

test('a conversation is the same from any of its messages: what they answer and all answers, oldest first, and nothing else', async () => {
  await using gateway = await start()
  const [first, other] = [await send(gateway, { subject: 'first' }), await send(gateway, { subject: 'other' })]
  const answer = await send(gateway, { subject: 'answer', replyTo: first.messageId })
  const aside = await send(gateway, { subject: 'aside', replyTo: first.messageId })
  const last = await send(gateway, { subject: 'last', replyTo: answer.messageId })
  for (const { messageId } of [first, answer, aside, last])
    assert.deepEqual(subjectsOf(await thread(gateway, messageId)), ['first', 'answer', 'aside', 'last'])
  assert.deepEqual(await thread(gateway, other.messageId), { count: 1, messages: [other] })
})

test('an answer to what is not there begins a conversation; an unknown message is named', async () => {
  await using gateway = await start()
  const orphan = await send(gateway, { subject: 'orphan', replyTo: 'mail-gone' })
  assert.deepEqual(subjectsOf(await thread(gateway, orphan.messageId)), ['orphan'])
  const missing = await gateway.inject({ method: 'GET', url: '/api/mail/mail-gone/thread' })
  assert.deepEqual([missing.status, missing.json().code], [404, 'NOT_FOUND'])
  assert.match(missing.json().error, /mail-gone/)
})

test('a long conversation is cut at 200 messages, and says so', async () => {
  await using gateway = await start()
  const first = await send(gateway, { subject: 'first' })
  for (let index = 0; index < 205; index++) await send(gateway, { replyTo: first.messageId })
  const { count, messages, truncated } = await thread(gateway, first.messageId)
  assert.deepEqual([count, messages[0].subject, truncated], [200, 'first', true])
})

test('addresses are listed once each by name, with what waits and when the last came, page by page', async () => {
  await using gateway = await start()
  const list = async (query = '') => (await gateway.inject({ method: 'GET', url: `/api/mail/addresses${query}` })).json()
  assert.deepEqual(await list(), { count: 0, addresses: [] })
  const acked = await send(gateway, { to: 'web' })
  await gateway.call('mail_ack', { id: acked.messageId })
  gateway.clock.advance(1_000)
  const latest = await send(gateway, { to: 'web' })
  await send(gateway, { to: 'host/api' })
  await send(gateway, { to: 'ada' })
  const { count, addresses } = await list()
  assert.deepEqual(
    [count, addresses.map(({ address, unread }: { address: string; unread: number }) => [address, unread])],
    [
      3,
      [
        ['ada', 1],
        ['host/api', 1],
        ['web', 1],
      ],
    ],
  )
  assert.equal(addresses[2].lastAt, latest.createdAt)
  const first = await list('?limit=2')
  assert.equal(first.count, 2)
  assert.deepEqual(
    (await list(`?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).addresses.map((row: { address: string }) => row.address),
    ['web'],
  )
  const bad = await gateway.inject({ method: 'GET', url: '/api/mail/addresses?cursor=garbage' })
  assert.deepEqual([bad.status, bad.json().details.field], [400, 'cursor'])
})
