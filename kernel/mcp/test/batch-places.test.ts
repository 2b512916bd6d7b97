import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { BatchPlaces } from '../src/handshake/batch-places.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('four batches of a tenant are worked on at once; more wait in the order in which they came, and keep nobody else', async () => {
  const places = new BatchPlaces()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const batch = (name: string, tenant = 'many') =>
    places.take(tenant, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => batch(name))
  all.push(batch('other', 'few'))
  assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'other'])
  ends.shift()?.()
  await turn()
  assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'other', 'e'])
  while (ends.length > 0) {
    ends.shift()?.()
    await turn()
  }
  assert.equal(begun.at(-1), 'f')
  await Promise.all(all)
})

test('a batch that fails gives its place to the next', async () => {
  const places = new BatchPlaces()
  const failing = Array.from({ length: 8 }, () => places.take('one', () => Promise.reject(new Error('no'))))
  for (const one of failing) await assert.rejects(one, /no/)
  assert.equal(await places.take('one', async () => 1), 1)
})

test('a fifth batch of a tenant waits until one of four is answered; what is only said is heard meanwhile', async () => {
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
  const batches = Array.from({ length: 5 }, () => post([call]))
  while (ends.length < 4) await turn()
  const said = await post([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } }])
  assert.deepEqual([said.status, ends.length], [202, 4])
  ends.shift()?.()
  while (ends.length < 4) await turn()
  for (const end of ends) end()
  assert.deepEqual(
    (await Promise.all(batches)).map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
})
