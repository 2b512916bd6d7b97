import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { BatchPlaces } from '../src/handshake/batch-places.ts'

const atOnce = (leave: () => void): void => leave()
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('two batches of a tenant are worked on at once; more wait in the order in which they came, and keep nobody else', async () => {
  const places = new BatchPlaces()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const batch = (name: string, tenant = 'many') =>
    places.take(
      tenant,
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      },
      atOnce,
    )
  const all = ['a', 'b', 'c', 'd'].map((name) => batch(name))
  all.push(batch('other', 'few'))
  assert.deepEqual(begun, ['a', 'b', 'other'])
  ends.shift()?.()
  await turn()
  assert.deepEqual(begun, ['a', 'b', 'other', 'c'])
  while (ends.length > 0) {
    ends.shift()?.()
    await turn()
  }
  assert.equal(begun.at(-1), 'd')
  await Promise.all(all)
})

test('a batch that fails gives its place to the next', async () => {
  const places = new BatchPlaces()
  const failing = Array.from({ length: 4 }, () => places.take('one', () => Promise.reject(new Error('no')), atOnce))
  for (const one of failing) await assert.rejects(one, /no/)
  assert.equal(await places.take('one', async () => 1, atOnce), 1)
})

test('a place is free again when the answer is out, not when it is made', async () => {
  const places = new BatchPlaces()
  const leaves: (() => void)[] = []
  for (let n = 0; n < 2; n++)
    await places.take(
      'one',
      async () => n,
      (leave) => leaves.push(leave),
    )
  let begun = false
  const third = places.take('one', async () => (begun = true), atOnce)
  await turn()
  assert.equal(begun, false)
  leaves[0]?.()
  await third
})

test('an answer that does not get out gives its place back after a while, once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const places = new BatchPlaces()
  const leaves: (() => void)[] = []
  for (let n = 0; n < 2; n++)
    await places.take(
      'one',
      async () => n,
      (leave) => leaves.push(leave),
    )
  const later = [
    places.take(
      'one',
      async () => 3,
      () => undefined,
    ),
    places.take(
      'one',
      async () => 4,
      () => undefined,
    ),
  ]
  t.mock.timers.tick(5_000)
  assert.deepEqual(await Promise.all(later), [3, 4])
  for (const leave of leaves) leave()
  let begun = false
  const further = places.take('one', async () => (begun = true), atOnce)
  await turn()
  assert.equal(begun, false)
  t.mock.timers.tick(5_000)
  await further
})

test('a third batch of a tenant waits until one of two is answered; what is only said is heard meanwhile', async () => {
  const ends: (() => void)[] = []
  const slow = defineTool({
    name: 'slow_wait',
    description: 'Ends when the test says so.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({}, closed),
    handle: () => new Promise<object>((resolve) => ends.push(() => resolve({}))),
  })
  const plugin = definePlugin({ id: 'slow', sdk: '^1.0.0', description: 'A tool that waits.', tools: [slow] })
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const post = (body: object[]) => gateway.inject({ method: 'POST', url: '/mcp', body })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow_wait' } }
  const batches = Array.from({ length: 3 }, () => post([call]))
  while (ends.length < 2) await turn()
  const said = await post([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } }])
  assert.deepEqual([said.status, ends.length], [202, 2])
  ends.shift()?.()
  while (ends.length < 2) await turn()
  for (const end of ends) end()
  assert.deepEqual(
    (await Promise.all(batches)).map(({ status }) => status),
    [200, 200, 200],
  )
})
