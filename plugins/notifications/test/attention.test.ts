import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AttentionItem, type AttentionSource, attentionSource, contribute, definePlugin } from '@gateway/sdk'
import { quietTimes } from '../src/rules/quiet.ts'
import { historyOf, receiver, start, type TestGateway } from './support.ts'

type Item = Partial<AttentionItem> & { readonly id: string }

/** Plays families with things that wait for a person. */
function queue(of: Partial<AttentionSource> = {}) {
  const waiting: Item[] = []
  const plugin = definePlugin({
    id: 'queue',
    sdk: '^1.0.0',
    description: 'Has things that wait.',
    contributes: [
      contribute(attentionSource, {
        create: (_, ctx): AttentionSource => ({
          kind: 'thing',
          capability: 'work',
          ...of,
          async look(limit) {
            const items = waiting
              .slice(0, limit)
              .map((item) => ({ title: item.id, tone: 'bad', at: ctx.now().toISOString(), ...item }) as const)
            return { count: waiting.length, items }
          },
        }),
      }),
      contribute(attentionSource, {
        create: (): AttentionSource => ({ kind: 'broken', capability: 'work', look: () => Promise.reject(new Error('broken')) }),
      }),
    ],
  })
  return { waiting, plugin }
}

const watch = (gateway: TestGateway) => gateway.runJob('notifications.attention')
async function titles(gateway: TestGateway): Promise<(string | undefined)[]> {
  const { notifications } = await gateway.call('notifications_history', { limit: 500 })
  return notifications.map(({ title }: { title?: string }) => title).reverse()
}
const begin = (plugin: ReturnType<typeof queue>['plugin'], attention: object = {}, channels: object = {}) =>
  start(channels, { attention }, { plugins: [plugin] })

test('an item that enters the queue with the tone bad raises one alert on the channels, at the next look', async () => {
  await using server = await receiver()
  const { waiting, plugin } = queue()
  await using gateway = await begin(plugin, {}, { team: server.chat() })
  await watch(gateway)
  waiting.push({ id: 'pump', title: 'The pump has stopped', text: 'It is hot.' })
  for (let look = 0; look < 3; look++) {
    await watch(gateway)
    gateway.clock.advance(7_200)
  }
  await gateway.restart()
  await watch(gateway)
  const entries = await historyOf(gateway, 1)
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })).map(({ kind, message }) => [kind, message]),
    [['alert', 'It is hot.\nIt waits since 2026-01-05 09:00 UTC.']],
  )
  assert.deepEqual(await titles(gateway), ['The pump has stopped'])
  assert.equal(server.received.length, 1)
})

test('an item that is not bad raises its alert once it has waited for as long as its source allows', async () => {
  const { waiting, plugin } = queue({ alertAfterSeconds: 3_600 })
  await using gateway = await begin(plugin)
  waiting.push({ id: 'a', tone: 'warn' })
  await watch(gateway)
  gateway.clock.advance(3_599)
  await watch(gateway)
  assert.deepEqual(await titles(gateway), [])
  gateway.clock.advance(1)
  await watch(gateway)
  gateway.clock.advance(86_400)
  await watch(gateway)
  assert.deepEqual(await titles(gateway), ['a'])
})

test('an item that is not bad raises none where its source sets no time', async () => {
  const { waiting, plugin } = queue()
  await using gateway = await begin(plugin)
  waiting.push({ id: 'a', tone: 'warn', at: '2025-01-01T00:00:00.000Z' })
  await watch(gateway)
  assert.deepEqual(await titles(gateway), [])
})

test('an item that becomes worse raises a second alert', async () => {
  const { waiting, plugin } = queue({ alertAfterSeconds: 0 })
  await using gateway = await begin(plugin)
  waiting.push({ id: 'cap', title: 'nearly reached', tone: 'warn' })
  await watch(gateway)
  waiting.splice(0, 1, { id: 'cap', title: 'reached', tone: 'bad' })
  await watch(gateway)
  assert.deepEqual(await titles(gateway), ['nearly reached', 'reached'])
})

test('an item that is back within the window raises no second alert; after it, it does', async () => {
  const { waiting, plugin } = queue()
  await using gateway = await begin(plugin, { windowMinutes: 60 })
  for (const minutes of [30, 90, 0]) {
    waiting.push({ id: 'a' })
    await watch(gateway)
    waiting.length = 0
    await watch(gateway)
    gateway.clock.advance(minutes * 60)
    await watch(gateway)
  }
  assert.equal((await titles(gateway)).length, 2)
})

test('several items of a kind that are told at once share one alert', async () => {
  const { waiting, plugin } = queue()
  await using gateway = await begin(plugin)
  for (let i = 0; i < 12; i++) waiting.push({ id: `t${i}` })
  await watch(gateway)
  assert.deepEqual(await titles(gateway), ['12 items need attention: thing'])
  const [entry] = await historyOf(gateway, 1, () => true)
  assert.match(entry?.message ?? '', /^t0\n[^]*t9\n… and 2 more\.$/)
})

test('within quiet hours nothing is told; what still waits at their end is', async () => {
  const { waiting, plugin } = queue()
  await using gateway = await begin(plugin, { quietHours: { from: '08:00', to: '10:00' } })
  waiting.push({ id: 'gone' }, { id: 'stays' })
  await watch(gateway)
  waiting.shift()
  await watch(gateway)
  assert.deepEqual(await titles(gateway), [])
  gateway.clock.advance(3_600)
  await watch(gateway)
  assert.deepEqual(await titles(gateway), ['stays'])
})

test('the level error leaves out what waits too long, and off leaves out everything', async () => {
  for (const [level, told] of [
    ['error', ['1 bad']],
    ['off', []],
  ] as const) {
    const { waiting, plugin } = queue({ alertAfterSeconds: 0 })
    await using gateway = await begin(plugin, { level })
    waiting.push({ id: 'late', tone: 'warn' }, { id: 'bad', title: '1 bad' })
    await watch(gateway)
    assert.deepEqual(await titles(gateway), told, level)
  }
})

test('items about the gateway itself alert in the operator’s tenant alone, and a source with its own alerts in none', async () => {
  for (const [alertIn, told] of [
    ['local', 1],
    ['none', 0],
  ] as const) {
    const { waiting, plugin } = queue({ alertIn })
    await using gateway = await begin(plugin)
    waiting.push({ id: 'a' })
    const acme = { as: { kind: 'user', role: 'admin', id: 'ann', tenantId: 'acme' } } as const
    await gateway.call('notifications_history', {}, acme)
    await watch(gateway)
    assert.equal((await titles(gateway)).length, told, alertIn)
    assert.deepEqual((await gateway.call('notifications_history', {}, acme)).notifications, [])
  }
})

test('quiet hours may span midnight; equal ends mean none', () => {
  const at = (time: string) => new Date(`2026-01-05T${time}:00Z`)
  const night = quietTimes({ from: '22:00', to: '07:00' })
  assert.deepEqual(
    ['21:59', '22:00', '06:59', '07:00'].map((time) => night(at(time))),
    [false, true, true, false],
  )
  assert.equal(quietTimes({ from: '08:00', to: '08:00' })(at('08:00')), false)
  assert.equal(quietTimes(undefined)(at('08:00')), false)
})

test('quiet hours follow the clock of their time zone, in summer too; an unknown time zone ends the start by name', async () => {
  const night = quietTimes({ from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' })
  const seen = (day: string) => ['04:59', '05:59', '06:00', '20:30', '21:00'].map((time) => night(new Date(`${day}T${time}:00Z`)))
  assert.deepEqual(seen('2026-01-05'), [true, true, false, false, true])
  assert.deepEqual(seen('2026-07-05'), [true, false, false, true, true])
  const { plugin } = queue()
  await assert.rejects(
    begin(plugin, { quietHours: { from: '22:00', to: '07:00', timeZone: 'Mars/Base' } }),
    /quietHours\.timeZone must be the name of a time zone.*Mars\/Base/,
  )
})
