import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { definePlugin, on } from '@gateway/sdk'
import { messageReceived } from '../src/api.ts'
import mailbox from '../src/index.ts'
import { inbox, send, start } from './support.ts'

test('a message is stored as it was sent, and waits unacked', async () => {
  await using gateway = await start()
  const message = await send(gateway, { kind: 'request', body: 'Line 1\nLine 2 — ✓', replyTo: 'mail-0', swarmId: 'swarm-1' })
  const { messageId, ...rest } = message
  assert.match(messageId, /^mail-\w+$/)
  assert.deepEqual(rest, {
    to: 'web',
    from: 'ada',
    fromPrincipal: 'operator',
    kind: 'request',
    subject: 'Hello',
    body: 'Line 1\nLine 2 — ✓',
    replyTo: 'mail-0',
    swarmId: 'swarm-1',
    createdAt: '2026-01-05T09:00:00.000Z',
    acked: false,
    actionable: true,
  })
  await gateway.restart()
  assert.deepEqual(await inbox(gateway), { messages: [message], unreadCount: 1 })
})

test('to and from are trimmed and lower-cased, in each of their forms', async () => {
  await using gateway = await start()
  for (const [given, stored] of [
    ['Build-7', 'build-7'],
    ['Build-7/Web', 'build-7/web'],
    [' Web ', 'web'],
    ['Operator', 'operator'],
  ]) {
    const message = await send(gateway, { to: given, from: given })
    assert.deepEqual([message.to, message.from], [stored, stored])
  }
})

test('only `to` is needed: the sender is then the caller, the kind a note', async () => {
  await using gateway = await start()
  const { message } = await gateway.call('mail_send', { to: 'web' }, { as: { id: 'Runner-7' } })
  assert.deepEqual([message.from, message.kind, message.subject, message.body], ['runner-7', 'note', '', ''])
  assert.equal('replyTo' in message || 'swarmId' in message, false)
})

test('kind is a free label', async () => {
  await using gateway = await start()
  for (const kind of ['note', 'request', 'live-note', 'swarm', 'result', 'Something else']) {
    assert.equal((await send(gateway, { kind })).kind, kind)
  }
})

test('what it answers need not exist any more', async () => {
  await using gateway = await start()
  assert.equal((await send(gateway, { replyTo: 'mail-gone' })).replyTo, 'mail-gone')
})

test('a wrong message is refused with the name of the field, and nothing is stored', async () => {
  await using gateway = await start()
  for (const [field, mail] of [
    ['to', { to: undefined }],
    ['to', { to: '' }],
    ['to', { to: 'a b' }],
    ['to', { to: 'a//b' }],
    ['to', { to: 'a'.repeat(201) }],
    ['to', { to: ['web'] }],
    ['from', { from: 'a b' }],
    ['kind', { kind: 7 }],
    ['kind', { kind: 'k'.repeat(101) }],
    ['subject', { subject: 's'.repeat(501) }],
    ['body', { body: 'b'.repeat(65_537) }],
    ['replyTo', { replyTo: 'r'.repeat(201) }],
    ['swarmId', { swarmId: 's'.repeat(1_001) }],
    ['priority', { priority: 'P0' }],
  ] as const) {
    await assert.rejects(send(gateway, mail), (error: { code: string; details: { field: string; message: string } }) => {
      assert.equal(error.code, 'BAD_REQUEST')
      assert.equal(error.details.field, field)
      return true
    })
  }
  const everyone = ['web', 'ada', 'a', 'b', 'operator']
  assert.deepEqual(await inbox(gateway, { to: everyone, includeAcked: true }), { messages: [], unreadCount: 0 })
})

test('the longest subject and body are stored whole', async () => {
  await using gateway = await start()
  const subject = '✓'.repeat(500)
  const body = '✓'.repeat(65_536)
  await send(gateway, { subject, body })
  const [message] = (await inbox(gateway)).messages
  assert.equal(message?.subject, subject)
  assert.equal(message?.body, body)
})

test('message.received tells of each stored message once, with the beginning of its body', async () => {
  const ears = new EventEmitter()
  const listener = definePlugin({
    id: 'listener',
    sdk: '^1.0.0',
    description: 'Hears of mail.',
    on: [on(messageReceived, { handle: async (payload, _uses, ctx) => void ears.emit('heard', payload, ctx.tenantId) })],
  })
  const heard: unknown[] = []
  ears.on('heard', (payload) => heard.push(payload))
  await using gateway = await start({ plugins: [mailbox, listener] })

  const next = once(ears, 'heard')
  const { message } = await gateway.call(
    'mail_send',
    { to: 'Web', from: 'ada', swarmId: 'swarm-1', body: `${'x'.repeat(199)}🚀` },
    { as: { tenantId: 'acme' } },
  )
  assert.deepEqual(await next, [
    {
      messageId: message.messageId,
      to: 'web',
      from: 'ada',
      kind: 'note',
      subject: '',
      // 200 characters less half of one.
      preview: 'x'.repeat(199),
      swarmId: 'swarm-1',
      createdAt: message.createdAt,
    },
    'acme',
  ])
  await assert.rejects(send(gateway, { to: 'a b' }))
  await gateway.restart()
  assert.equal(heard.length, 1)
})

test('POST /api/mail answers 201 with the message', async () => {
  await using gateway = await start()
  const response = await gateway.inject({ method: 'POST', url: '/api/mail', body: { to: 'Web', subject: 'Hi' } })
  assert.equal(response.status, 201)
  assert.deepEqual((await inbox(gateway)).messages, [response.json().message])
  const refused = await gateway.inject({ method: 'POST', url: '/api/mail', body: { to: 'a b' } })
  assert.equal(refused.status, 400)
  assert.equal(refused.json().code, 'BAD_REQUEST')
})

test('messages sent at the same time all arrive, each under its own id', async () => {
  await using gateway = await start()
  const sent = await Promise.all(Array.from({ length: 200 }, (_, i) => send(gateway, { subject: `n${i}` })))
  const { messages, unreadCount } = await inbox(gateway, { limit: 200 })
  assert.equal(unreadCount, 200)
  assert.deepEqual(new Set(messages.map(({ messageId }) => messageId)), new Set(sent.map(({ messageId }) => messageId)))
  assert.equal(new Set(messages.map(({ subject }) => subject)).size, 200)
})

test('a tenantId among the arguments is dropped: mail stays in the caller’s tenant', async () => {
  await using gateway = await start()
  await send(gateway, { tenantId: 'acme' })
  assert.equal((await inbox(gateway)).unreadCount, 1)
  assert.equal((await gateway.call('mail_inbox', { to: 'web' }, { as: { tenantId: 'acme' } })).unreadCount, 0)
})
