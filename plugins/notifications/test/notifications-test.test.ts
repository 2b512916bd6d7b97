import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { receiver, start } from './support.ts'

test('the first chat channel gets a test of level info', async () => {
  await using server = await receiver()
  await using gateway = await start({
    hook: server.webhook(),
    off: server.chat({ enabled: false }),
    team: server.chat(),
    more: server.chat(),
  })
  const { results } = await gateway.call('notifications_test')
  assert.deepEqual(results, [{ channel: 'team', status: 'sent' }])
  assert.match(String(server.received[0]?.body.text), /^ℹ️ Test\n/)
  assert.equal((await gateway.call('notifications_history')).notifications[0].kind, 'test')
})

test('a channel that is named is tried, also while it is switched off', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook({ enabled: false }) })
  assert.deepEqual((await gateway.call('notifications_test', { channel: 'hook' })).results, [{ channel: 'hook', status: 'sent' }])
})

test('without a chat channel the refusal names the setting, and an unknown name is said to be unknown', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() })
  await assert.rejects(gateway.call('notifications_test'), { code: 'UNAVAILABLE', message: /plugins\.notifications\.channels/ })
  await assert.rejects(gateway.call('notifications_test', { channel: 'nowhere' }), { code: 'NOT_FOUND' })
  await assert.rejects(gateway.call('notifications_test', { channel: 7 }), refusal('BAD_REQUEST', 'channel'))
})
