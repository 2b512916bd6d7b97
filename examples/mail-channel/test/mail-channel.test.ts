import assert from 'node:assert/strict'
import { test } from 'node:test'
import notifications from '@gateway/plugin-notifications'
import outgoing from '@gateway/plugin-outgoing'
import { startTestGateway } from '@gateway/testing'
import mailChannel from '../src/index.ts'
import { settingsFault } from '../src/settings.ts'
import { mailServer } from './mail-server.ts'

const TO = ['oncall@example.com', 'lead@example.com']

const start = (settings: object, plugins = [outgoing, notifications, mailChannel]) =>
  startTestGateway({
    plugins,
    config: {
      notifications: {
        channels: { oncall: { kind: 'mail', settings: { host: '127.0.0.1', from: 'fleet@example.com', to: TO, ...settings } } },
      },
    },
  })
const note = { level: 'error', title: 'A build\nfailed', message: 'The build of web failed twice.', source: 'ci' }

test('a notification arrives as one mail at every address of the channel', async () => {
  await using server = await mailServer()
  await using gateway = await start({ port: server.port })
  const sent = await gateway.call('notifications_send', note)
  assert.deepEqual(sent.results, [{ channel: 'oncall', status: 'sent' }])
  assert.equal(server.mails.length, 1)
  const [mail] = server.mails
  assert.deepEqual([mail?.from, mail?.to], ['fleet@example.com', TO])
  assert.match(mail?.text ?? '', /^Subject: \[error\] A build failed$/m)
  assert.match(mail?.text ?? '', /The build of web failed twice\./)
  assert.match(mail?.text ?? '', /\(ci\)/)
})

test('a server that refuses for good, and one that is away, are failures that say whether to try again', async () => {
  await using refusing = await mailServer({ refusal: '550 no such user' })
  await using gateway = await start({ port: refusing.port })
  const refused = await gateway.call('notifications_send', note)
  assert.match(refused.results[0].error, /The mail server did not take it: .*550 no such user/)
  assert.equal(refused.results[0].transient, undefined)

  await using other = await start({ port: 1 })
  const away = await other.call('notifications_send', note)
  assert.equal(away.results[0].transient, true)
  const asTenant = await other.call('notifications_send', note, { as: { tenantId: 'acme' } })
  assert.equal(asTenant.results[0].error, 'The channel did not take it.')
})

test('a setting that is wrong is named, and nothing is sent', async () => {
  await using server = await mailServer()
  await using gateway = await start({ port: server.port, to: ['nobody'] })
  const { results } = await gateway.call('notifications_test', { channel: 'oncall' })
  assert.equal(results[0].error, 'settings.to must be 1 to 50 mail addresses.')
  assert.deepEqual(server.mails, [])
  assert.match(settingsFault({ host: 'a', from: 'a@b', to: ['a@b'], prot: 25 }) ?? '', /settings\.prot is no setting/)
  assert.match(settingsFault({ host: 'a', from: 'a@b', to: ['a@b'], user: 'u' }) ?? '', /belong together/)
})

test('without the plugin the channel fails with a sentence that says what is missing', async () => {
  await using gateway = await start({}, [outgoing, notifications])
  const { results } = await gateway.call('notifications_test', { channel: 'oncall' })
  assert.equal(results[0].error, 'No running plugin contributes its kind, mail.')
})
