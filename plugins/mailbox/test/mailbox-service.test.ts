import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { mailbox as mailService, messageReceived } from '@gateway/plugin-mailbox/api'
import { atomically, definePlugin, defineTool, on, Type } from '@gateway/sdk'
import { needs } from '@gateway/sdk/testing'
import mailbox from '../src/index.ts'
import { inbox, start } from './support.ts'

const ears = new EventEmitter()
const closed = { additionalProperties: false }

/** Another family that sends mail: one message by itself, or several that stand or fall with its own change. */
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
        const messages = await atomically(async (tx) => {
          const written = []
          for (const address of to) written.push(await mailService.postIn(tx, { to: address, from: 'family', kind: 'swarm' }))
          return written
        })
        for (const message of messages) mailService.announce(message)
        return {}
      },
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

test('mail written in a transaction arrives with it, or not at all and unannounced', needs('transactions'), async () => {
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
