import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '@gateway/sdk'
import { notificationsHistory } from '../src/tools/notifications-history.ts'
import { receiver, start } from './support.ts'

const messages = ({ notifications }: { notifications: readonly { message: string }[] }) => notifications.map(({ message }) => message)

test('the newest stand first, twenty of them unless it is asked for others, and only the caller’s tenant’s', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() })
  for (let i = 1; i <= 22; i++) await gateway.call('notifications_send', { message: `${i}` })
  assert.equal(messages(await gateway.call('notifications_history')).length, 20)
  assert.deepEqual(messages(await gateway.call('notifications_history', { limit: 2 })), ['22', '21'])
  assert.equal(messages(await gateway.call('notifications_history', { limit: 9_999 })).length, 22)
  assert.deepEqual(await gateway.call('notifications_history', {}, { as: { tenantId: 'acme' } }), { notifications: [] })
})

test('the history keeps so many and so old, over a restart', async () => {
  await using gateway = await start({}, { historyLimit: 3, retentionDays: 1 })
  for (let i = 1; i <= 5; i++) await gateway.call('notifications_send', { message: `${i}` })
  await gateway.restart()
  assert.deepEqual(messages(await gateway.call('notifications_history')), ['5', '4', '3'])
  gateway.clock.advance(86_401)
  await gateway.call('notifications_send', { message: '6' })
  assert.deepEqual(messages(await gateway.call('notifications_history')), ['6'])
})

test('without the database it is empty, and any other fault is none of its own to hide', async () => {
  const failing = (error: Error) => ({ history: { find: () => Promise.reject(error) } }) as never
  const ask = async (error: Error) => notificationsHistory.handle({} as never, failing(error) as never, undefined as never)
  assert.deepEqual(await ask(Unavailable({ message: 'The database does not answer.' })), { notifications: [] })
  await assert.rejects(ask(new Error('a fault')), /a fault/)
})
