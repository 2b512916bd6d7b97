import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { definePlugin, on } from '@gateway/sdk'
import { pluginSuite, startTestGateway, testClock } from '@gateway/testing'
import hello, { guestGreeted } from '../src/index.ts'
import { phrase } from '../src/phrase.ts'

pluginSuite(hello, { folder: import.meta.dirname })

test('the time of day chooses the words, unless the operator chose them', () => {
  assert.equal(phrase('Ada', 11, undefined), 'Good morning, Ada!')
  assert.equal(phrase('Ada', 12, undefined), 'Good afternoon, Ada!')
  assert.equal(phrase('Ada', 18, undefined), 'Good evening, Ada!')
  assert.equal(phrase('Ada', 18, 'Ahoy'), 'Ahoy, Ada!')
})

test('a guest is greeted, remembered over a restart, and listed with the latest first', async () => {
  await using gateway = await startTestGateway({ plugins: [hello], clock: testClock('2026-01-05T09:00:00.000Z') })

  assert.equal((await gateway.call('hello_greet', { name: 'Ada' })).text, 'Good morning, Ada!')
  gateway.clock.advance(60)
  await gateway.call('hello_greet', { name: 'Grace' })
  await gateway.restart()
  gateway.clock.advance(60)
  const { guest } = await gateway.call('hello_greet', { name: 'Ada' })

  assert.deepEqual(guest, { name: 'Ada', visits: 2, lastSeen: '2026-01-05T09:02:00.000Z' })
  const { guests } = await gateway.call('hello_guests')
  assert.deepEqual(
    guests.map(({ name }: { name: string }) => name),
    ['Ada', 'Grace'],
  )
})

test('the same tool answers over REST, as the same tenant', async () => {
  await using gateway = await startTestGateway({ plugins: [hello] })
  const greeted = await gateway.inject({ method: 'POST', url: '/api/hello/Ada' })
  assert.equal(greeted.status, 200)
  assert.equal(greeted.json().guest.visits, 1)
  assert.equal((await gateway.call('hello_greet', { name: 'Ada' })).guest.visits, 2)
})

test('guests of one tenant are unknown to another', async () => {
  await using gateway = await startTestGateway({ plugins: [hello] })
  await gateway.call('hello_greet', { name: 'Ada' }, { as: { tenantId: 'acme' } })
  assert.deepEqual(await gateway.call('hello_guests', {}, { as: { tenantId: 'globex' } }), { guests: [] })
})

test('settings come from the config file, and from the environment before that', async () => {
  await using gateway = await startTestGateway({
    plugins: [hello],
    config: { hello: { word: 'Hello', banned: ['Mallory'] } },
    env: { HELLO_WORD: 'Ahoy' },
  })
  assert.equal((await gateway.call('hello_greet', { name: 'Ada' })).text, 'Ahoy, Ada!')
  await assert.rejects(gateway.call('hello_greet', { name: 'Mallory' }), {
    code: 'NOT_WELCOME',
    status: 403,
    message: 'Mallory is not greeted here.',
  })
})

test('a misspelt setting stops the start, with the plugin and the key in the message', async () => {
  await assert.rejects(
    startTestGateway({ plugins: [hello], config: { hello: { wrod: 'Hello' } } }),
    /plugin 'hello' failed in config: .*wrod/,
  )
})

test('another plugin hears of each greeting', async () => {
  const ears = new EventEmitter()
  const listener = definePlugin({
    id: 'listener',
    sdk: '^1.0.0',
    description: 'Hears greetings.',
    on: [on(guestGreeted, { handle: async (guest) => void ears.emit('heard', guest) })],
  })
  await using gateway = await startTestGateway({ plugins: [hello, listener] })
  const heard = once(ears, 'heard')
  const { guest } = await gateway.call('hello_greet', { name: 'Ada' })
  assert.deepEqual(await heard, [guest])
})
