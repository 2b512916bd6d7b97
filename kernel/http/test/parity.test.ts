import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tool } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { assertParity } from './parity.ts'
import { transportFixture } from './transport-plugin.ts'

const open = () => startTestGateway({ plugins: [transportFixture().plugin] })
const tools = new Map<string, Tool>(transportFixture().plugin.tools.map((tool) => [tool.name, tool]))

/** Per tool: valid arguments, or invalid ones with their error code. */
const cases: [name: string, args: Record<string, unknown>, refusal?: string][] = [
  ['transport_echo', { id: 'a/b c', count: 2, ratio: 0.25, flag: true, tags: ['x', 'y'], numbers: [1, 2], kind: 'a' }],
  ['transport_echo', { id: 'x', tenantId: 'another' }],
  ['transport_echo', { id: 'x', count: -1 }, 'BAD_REQUEST'],
  ['transport_echo', { id: 'x', colour: 'red' }, 'BAD_REQUEST'],
  ['transport_add', { id: 'n', text: 'naïve ☕', tags: ['a'] }],
  ['transport_add', { id: 'n' }, 'BAD_REQUEST'],
  ['transport_add', { id: 'n', text: 'x', tags: Array.from({ length: 101 }, (_, i) => `t${101 - i}`) }],
  [
    'transport_add',
    { id: 'n', text: 'x', more: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${101 - i}`, i])) },
    'BAD_REQUEST',
  ],
  ['transport_edit', { id: 'none', text: 'x' }, 'NOT_FOUND'],
  ['transport_remove', { id: 'none' }],
  ['transport_ask', { asked: 3 }],
  ['transport_ask', { asked: 4 }, 'FACE_TOO_MANY'],
  ['transport_ask', { asked: -1 }, 'BAD_REQUEST'],
  ['transport_broken', {}, 'INTERNAL_ERROR'],
  ['transport_operate', {}],
]
for (const [name, args, refusal] of cases) {
  test(`${name} ${JSON.stringify(args).slice(0, 100)} comes to the same over every transport`, async () => {
    const { ok, answer } = await assertParity(open, tools.get(name) as Tool, args)
    assert.deepEqual([ok, (answer as { code?: string }).code], [refusal === undefined, refusal])
  })
}
