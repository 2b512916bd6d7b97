import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { mailbox as mailService, messageReceived } from '@gateway/plugin-mailbox/api'
import { atomically, closed, definePlugin, defineTool, on, Type } from '@gateway/sdk'
import mailbox from '../src/index.ts'
import { inbox, send, start, subjects } from './support.ts'

const ears = new EventEmitter()

/** Another family that sends mail: one message alone, or several in the transaction of its own change. */
const family = definePlugin({
  id: 'test-family',
  sdk: '^1.0.0',
  description: 'Sends mail.',
  tools: [
    defineTool({
      name: 'test_post',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ to: Type.String() }, closed),
      output: Type.Object({}),
      uses: { mailService },
      handle: async ({ to }, { mailService }) => mailService.post({ to, from: 'Family' }),
    }),
    defineTool({
      name: 'test_post_all',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ to: Type.Array(Type.String()) }, closed),
      output: Type.Object({}),
      uses: { mailService, atomically },
      async handle({ to }, { mailService, atomically }) {
        await atomically(async (tx) => {
          for (const address of to) await mailService.postIn(tx, { to: address, from: 'family', kind: 'swarm' })
        })
        return {}
      },
    }),
    defineTool({
      name: 'test_take',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ address: Type.String(), fail: Type.Optional(Type.Boolean()) }, closed),
      output: Type.Object({}),
      uses: { mailService, atomically },
      handle: ({ address, fail }, { mailService, atomically }) =>
        atomically(async (tx) => {
          const message = await mailService.takeRequest(tx, address, 'ada')
          if (fail) throw new Error('thought better of it')
          return { message, seen: message && (await mailService.get(message.messageId, tx)) }
        }),
    }),
  ],
  on: [on(messageReceived, { handle: async ({ to }) => void ears.emit('heard', to) })],
})

test('another family posts a message, on the same terms as mail_send', async () => {
  await using gateway = await start({ plugins: [mailbox, family] })
  const heard = once(ears, 'heard')
  const message = await gateway.call('test_post', { to: 'Web' })
  assert.deepEqual([message.to, message.from, message.kind, message.acked], ['web', 'family', 'note', false])
  assert.deepEqual((await inbox(gateway)).messages, [message])
  assert.deepEqual(await heard, ['web'])
  await assert.rejects(gateway.call('test_post', { to: 'a b' }), { code: 'BAD_REQUEST' })
})

test('mail written in a transaction arrives with it, or not at all and unannounced', async () => {
  await using gateway = await start({ plugins: [mailbox, family] })
  const heard: string[] = []
  ears.on('heard', (to) => heard.push(to))

  await assert.rejects(gateway.call('test_post_all', { to: ['web', 'a b'] }), { code: 'BAD_REQUEST' })
  assert.equal((await inbox(gateway)).unreadCount, 0)

  await gateway.call('test_post_all', { to: ['Web', 'ada'] })
  const { messages } = await inbox(gateway, { to: ['web', 'ada'] })
  assert.deepEqual(
    messages.map(({ to, kind }) => [to, kind]),
    [
      ['ada', 'swarm'],
      ['web', 'swarm'],
    ],
  )
  await gateway.restart()
  assert.deepEqual(heard, ['web', 'ada'])
  ears.removeAllListeners()
})

test('the oldest request of an address is taken once; other kinds, acked ones and what it sent itself are left', async () => {
  await using gateway = await start({ plugins: [mailbox, family] })
  const take = async (args: object = {}) => (await gateway.call('test_take', { address: 'Web', ...args })).message
  const ask = { kind: 'request', from: 'grace' }
  await send(gateway, { from: 'grace' })
  await send(gateway, { kind: 'request', from: 'Web', subject: 'from itself' })
  const acked = await send(gateway, { ...ask, subject: 'acked' })
  await gateway.call('mail_ack', { id: acked.messageId })
  await send(gateway, { ...ask, to: 'api', subject: 'elsewhere' })
  await send(gateway, { ...ask, subject: 'first' })
  await send(gateway, { ...ask, subject: 'second' })
  await assert.rejects(take({ fail: true }))
  const taken = await take()
  assert.deepEqual([taken.subject, taken.acked, taken.ackedBy, taken.actionable], ['first', true, 'ada', undefined])
  assert.deepEqual([(await take()).subject, await take()], ['second', undefined])
  assert.deepEqual(await subjects(gateway), ['from itself', 'Hello'])
  assert.equal((await gateway.call('test_take', { address: 'api' }, { as: { tenantId: 'acme' } })).message, undefined)
})

test('of many takers at once each request goes to one', async () => {
  await using gateway = await start({ plugins: [mailbox, family] })
  for (let i = 0; i < 10; i++) await send(gateway, { kind: 'request', subject: `${i}` })
  const taken = await Promise.all(Array.from({ length: 30 }, () => gateway.call('test_take', { address: 'web' })))
  const ids = taken.flatMap(({ message }) => message?.messageId ?? [])
  assert.deepEqual([ids.length, new Set(ids).size], [10, 10])
})
