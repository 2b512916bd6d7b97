import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { historyOf, receiver, start } from './support.ts'

test('without channels it goes to all that are enabled: to a chat with the icon of its level, to a webhook as JSON', async () => {
  await using server = await receiver()
  await using gateway = await start({ team: server.chat(), hook: server.webhook(), off: server.webhook({ enabled: false }) })
  const { results } = await gateway.call('notifications_send', { message: 'Disk full', title: 'Help', level: 'critical', source: 'ops' })
  assert.deepEqual(results, [
    { channel: 'team', status: 'sent' },
    { channel: 'hook', status: 'sent' },
  ])
  const at = new Date(gateway.clock.now()).toISOString()
  assert.deepEqual(
    server.received.sort((a, b) => String(a.url).localeCompare(String(b.url))),
    [
      { url: '/bot42:abc/sendMessage', body: { chat_id: 'ops', text: '🚨 Help\nDisk full\n(ops)' } },
      { url: '/hook', body: { title: 'Help', message: 'Disk full', level: 'critical', source: 'ops', at } },
    ],
  )
})

test('an empty list of channels means what no list means', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() })
  const { results } = await gateway.call('notifications_send', { message: 'Hello', channels: [] })
  assert.deepEqual(results, [{ channel: 'hook', status: 'sent' }])
})

test('a level that is left out is info', async () => {
  await using server = await receiver()
  await using gateway = await start({ team: server.chat() })
  await gateway.call('notifications_send', { message: 'Hello' })
  assert.equal(server.received[0]?.body.text, 'ℹ️ Hello')
  assert.equal((await historyOf(gateway, 1))[0]?.kind, 'message')
})

test('named channels alone are used; an unknown, a disabled and a failing one are results, and never an error', async () => {
  await using server = await receiver((request, response) => {
    const bad = request.url === '/bad'
    response.writeHead(bad ? 500 : 200).end('{}')
  })
  const channels = {
    good: server.webhook(),
    bad: server.webhook({ url: `${server.url}/bad` }),
    off: server.webhook({ enabled: false }),
    gone: { kind: 'webhook', url: 'http://127.0.0.1:1/' },
    unused: server.webhook(),
  }
  await using gateway = await start(channels)
  const { results } = await gateway.call('notifications_send', {
    message: 'Hello',
    channels: ['good', 'bad', 'off', 'gone', 'nowhere', 'constructor'],
  })
  assert.deepEqual(
    results.map(({ channel, status, transient }: Record<string, unknown>) => [channel, status, transient]),
    [
      ['good', 'sent', undefined],
      ['bad', 'failed', true],
      ['off', 'failed', undefined],
      ['gone', 'failed', true],
      ['nowhere', 'failed', undefined],
      ['constructor', 'failed', undefined],
    ],
  )
  assert.match(results[4].error, /There is no channel of this name; there are good, bad, off, gone, unused\./)
  assert.equal(server.received.length, 2)
})

test('what a chat says of a message that it refuses is told, without the token', async () => {
  await using server = await receiver((_request, response) => void response.writeHead(400).end('{"description":"chat not found"}'))
  await using gateway = await start({ team: server.chat(), gone: { ...server.chat(), baseUrl: 'http://127.0.0.1:1' } })
  const answer = await gateway.call('notifications_send', { message: 'Hello' })
  assert.equal(answer.results[0].error, 'It answered 400: chat not found')
  const kept = JSON.stringify([answer, await gateway.documents(), gateway.logs])
  assert.ok(!kept.includes('42:abc'))
})

test('chatId is the chat for this once; without any chat the result says which setting is missing', async () => {
  await using server = await receiver()
  const { chatId: _none, ...nameless } = server.chat()
  await using gateway = await start({ team: nameless })
  const { results } = await gateway.call('notifications_send', { message: 'Hello' })
  assert.match(results[0].error, /DEFAULT_CHAT_ID/)
  await gateway.call('notifications_send', { message: 'Hello', chatId: '-100' })
  assert.deepEqual(server.received[0]?.body.chat_id, '-100')
})

test('DEFAULT_CHAT_ID is the chat of channels that name none', async () => {
  await using server = await receiver()
  const { chatId: _none, ...nameless } = server.chat()
  await using gateway = await start({ team: nameless }, {}, { env: { DEFAULT_CHAT_ID: '7' } })
  await gateway.call('notifications_send', { message: 'Hello' })
  assert.equal(server.received[0]?.body.chat_id, '7')
})

test('another tenant’s notification says whose it is, and goes to no chat of its choice', async () => {
  await using server = await receiver()
  await using gateway = await start({ team: server.chat() })
  const as = { tenantId: 'acme', role: 'member', kind: 'user', id: 'ann' } as const
  const { results } = await gateway.call('notifications_send', { message: 'Hello', chatId: '666' }, { as })
  assert.equal(results[0].status, 'failed')
  assert.equal(server.received.length, 0)
  await gateway.call('notifications_send', { message: 'Hello' }, { as })
  assert.deepEqual(server.received[0]?.body, { chat_id: 'ops', text: 'ℹ️ [acme]\nHello' })
})

test('a tenant is told what became of its message, and never where the operator’s channel is, nor what it says', async () => {
  const as = { tenantId: 'acme', role: 'member', kind: 'user', id: 'ann' } as const
  let status = 500
  await using server = await receiver((_request, response) => {
    if (status === 0) return void response.socket?.destroy()
    response.writeHead(status).end(JSON.stringify({ description: 'chat 42 of internal.example refuses' }))
  })
  await using gateway = await start({ chat: server.chat(), hook: server.webhook() }, { perMinute: 1_000 })
  const { host, hostname, port } = new URL(server.url)
  const told: string[] = []
  // Refusals, broken connections, then an open breaker.
  for (status of [400, 500, 0, 0, 0, 0, 0, 0, 0, 0]) {
    const { results } = await gateway.call('notifications_send', { message: 'Hello' }, { as })
    told.push(...results.map(({ error }: { error: string }) => error))
  }
  told.push(JSON.stringify((await gateway.call('notifications_history', {}, { as })).notifications))
  for (const text of told) for (const secret of [host, hostname, port, 'internal.example']) assert.ok(!text.includes(secret), text)
  assert.ok(
    told.some((text) => /^The channel rests after \d+ failures in a row; try again in \d+ s\.$/.test(text)),
    told.join('\n'),
  )
  const { results } = await gateway.call('notifications_send', { message: 'Hello' })
  assert.ok(results[0].error.includes(host), 'the operator is told')
})

test('a tenant that has sent its share of a minute is told so, and others send on', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() }, { perMinute: 2 })
  const send = async (tenantId: string) =>
    (await gateway.call('notifications_send', { message: 'x' }, { as: { tenantId } })).results[0].status
  assert.deepEqual([await send('acme'), await send('acme'), await send('acme'), await send('bolt')], ['sent', 'sent', 'failed', 'sent'])
  gateway.clock.advance(60)
  assert.equal(await send('acme'), 'sent')
  assert.equal(server.received.length, 4)
})

test('secrets leave through no channel, and none is kept', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() })
  await gateway.call('notifications_send', { message: 'failed with password=hunter2' })
  assert.equal(server.received[0]?.body.message, 'failed with password=[redacted]')
  assert.ok(!JSON.stringify(await gateway.documents()).includes('hunter2'))
})

test('a channel that hangs keeps its caller no longer than its time', async () => {
  await using server = await receiver(() => undefined)
  await using gateway = await start({ hook: server.webhook() }, { timeoutSeconds: 0.05 })
  const { results } = await gateway.call('notifications_send', { message: 'Hello' })
  assert.match(results[0].error, /within 50 ms/)
})

test('without any channel the answer says what to set', async () => {
  await using gateway = await start()
  const { results, reason } = await gateway.call('notifications_send', { message: 'Hello' })
  assert.deepEqual(results, [])
  assert.match(reason, /plugins\.notifications\.channels/)
})

test('a bad argument is refused by name, and nothing is sent', async () => {
  await using server = await receiver()
  await using gateway = await start({ hook: server.webhook() })
  for (const [field, args] of [
    ['message', {}],
    ['message', { message: ' ' }],
    ['level', { message: 'x', level: 'fatal' }],
    ['channels', { message: 'x', channels: 'hook' }],
  ] as const) {
    await assert.rejects(gateway.call('notifications_send', args), refusal('BAD_REQUEST', field))
  }
  assert.equal(server.received.length, 0)
})
