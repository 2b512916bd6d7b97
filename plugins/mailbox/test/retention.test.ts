import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import mailbox from '../src/index.ts'

const DAY = 86_400

test('acked mail is removed after 30 days, mail that nobody acked after 90', async () => {
  await using gateway = await startTestGateway({ plugins: [mailbox] })
  const post = async (subject: string) => (await gateway.call('mail_send', { to: 'ada', from: 'bob', subject })).message.messageId
  const subjects = async () =>
    (await gateway.call('mail_inbox', { to: 'ada', includeAcked: true })).messages.map(({ subject }: { subject: string }) => subject)
  await gateway.call('mail_ack', { id: await post('acked') })
  await post('unread')
  gateway.clock.advance(31 * DAY)
  await post('new')
  await gateway.runJob('mailbox.retention')
  await gateway.runJob('mailbox.unread-retention')
  assert.deepEqual(await subjects(), ['new', 'unread'])
  gateway.clock.advance(60 * DAY)
  await gateway.runJob('mailbox.unread-retention')
  assert.deepEqual(await subjects(), ['new'])
})
