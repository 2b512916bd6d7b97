import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { closed, defineEvent, definePlugin, defineTool, listChanged, on, resourceUpdated, Type } from '@gateway/sdk'
import { booted, caller } from './booted.ts'

const rung = defineEvent('bell.rung', Type.Object({ times: Type.Integer() }))
const order: string[] = []
const bell = definePlugin({
  id: 'bell',
  sdk: '^1.0.0',
  description: 'Rings.',
  events: [rung],
  on: [on(rung, { handle: async () => void order.push('listener') })],
  tools: [
    defineTool({
      name: 'bell_ring',
      description: 'Ring.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ times: Type.Integer() }, closed),
      output: Type.Object({}),
      uses: { rung, resourceUpdated, listChanged },
      async handle({ times }, { rung, resourceUpdated, listChanged }) {
        rung.emit({ times })
        resourceUpdated.emit({ uri: 'bell://one' })
        listChanged.emit({ list: 'tools' })
        order.push('answer')
        return {}
      },
    }),
  ],
})

const ring = { ...caller, name: 'bell_ring', args: { times: 2 } }
const elsewhere = { ...ring, principal: { ...ring.principal, tenantId: 'other' } }

describe('a transport that subscribes to an event', () => {
  it('is told at once, with the tenant it happened in, of any tenant', async () => {
    await using gateway = await booted([bell])
    const heard: unknown[] = []
    gateway.subscribe(rung, ({ times }, tenantId) => {
      order.push('transport')
      heard.push([times, tenantId])
    })
    order.length = 0
    await gateway.invoke(ring)
    assert.deepEqual(order.slice(0, 2), ['transport', 'answer'], 'before the call is answered, and before listeners run')
    await gateway.invoke(elsewhere)
    assert.deepEqual(heard, [
      [2, 'acme'],
      [2, 'other'],
    ])
  })

  it('receives the kernel’s own events, each once per transport', async () => {
    await using gateway = await booted([bell])
    const heard: unknown[] = []
    gateway.subscribe(resourceUpdated, ({ uri }, tenantId) => heard.push([uri, tenantId, 'first']))
    gateway.subscribe(resourceUpdated, ({ uri }, tenantId) => heard.push([uri, tenantId, 'second']))
    gateway.subscribe(listChanged, ({ list }, tenantId) => heard.push([list, tenantId]))
    await gateway.invoke(ring)
    assert.deepEqual(heard, [
      ['bell://one', 'acme', 'first'],
      ['bell://one', 'acme', 'second'],
      ['tools', 'acme'],
    ])
  })

  it('hears nothing it did not ask for', async () => {
    await using gateway = await booted([bell])
    gateway.subscribe(listChanged, ({ list }) => assert.equal(list, 'tools'))
    await gateway.invoke(ring)
  })
})
