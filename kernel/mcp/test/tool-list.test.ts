import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineTool, type Role } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { inventory } from '../../core/src/registry/inventory.ts'
import { transportFixture } from '../../http/test/transport-plugin.ts'
import { toolEntry, visibleTools } from '../src/tool-list.ts'
import { everything } from '../src/views.ts'
import { listsPerRole } from './lists-per-role.ts'

const { plugin } = transportFixture()
const gateway = (rbacEnforce: boolean) => ({ inventory: inventory([plugin]), settings: { rbacEnforce, mcpPageSize: 1_000 } as Settings })
const named = (role: Role, enforce: boolean): string[] =>
  visibleTools(gateway(enforce), { role, tenantId: 'local' }).map(({ item }) => item.name)
const all = plugin.tools.map(({ name }) => name)
const allButOperators = all.filter((name) => name !== 'transport_operate')

test('in shadow mode every role sees every tool but those of the operator', () => {
  for (const role of ['viewer', 'member', 'admin', 'owner'] as const) assert.deepEqual(named(role, false), allButOperators)
  for (const role of ['system', 'operator'] as const) assert.deepEqual(named(role, false), all)
})

test('under enforcement a role sees what it may call', () => {
  const reads = plugin.tools.filter(({ capability }) => capability === 'read').map(({ name }) => name)
  assert.deepEqual(named('viewer', true), reads)
  assert.deepEqual(named('member', true), allButOperators)
  assert.deepEqual(named('operator', true), all)
})

test('a role’s list is serialised once and is the same bytes ever after', () => {
  const lists = listsPerRole(gateway(false))
  assert.equal(lists('viewer', everything)({}), lists('viewer', everything)({}))
  assert.deepEqual(
    JSON.parse(lists('viewer', everything)({}).toString()).tools.map(({ name }: { name: string }) => name),
    allButOperators,
  )
})

test('properties that are no objects are said as objects, which the clients of older versions insist on', () => {
  const input = { type: 'object', properties: { any: true, none: false, some: { type: 'string' } } } as const
  const tool = defineTool({
    name: 'loose_schema',
    description: 'Takes anything.',
    capability: 'read',
    effect: 'read',
    input,
    output: {},
    handle: async () => ({}),
  })
  const { inputSchema } = toolEntry(tool) as { inputSchema: object }
  assert.deepEqual(inputSchema, { type: 'object', properties: { any: {}, none: { not: {} }, some: { type: 'string' } } })
})

test('every enum is listed with its type, wherever it stands and whoever wrote it; the schema itself stays as it is', () => {
  const input = {
    type: 'object',
    properties: {
      priority: { enum: ['P0', 'P1'], description: 'how urgent' },
      list: { type: 'array', items: { enum: [1, 2] } },
      nested: { type: 'object', properties: { either: { anyOf: [{ enum: ['a', null] }, { type: 'boolean' }] } } },
      enum: { type: 'string', enum: ['typed'] },
      plain: { const: { enum: ['data, no schema'] } },
    },
  } as const
  const before = structuredClone(input)
  const tool = defineTool({
    name: 'with_enums',
    description: 'd',
    capability: 'read',
    effect: 'read',
    input,
    output: {},
    handle: async () => ({}),
  })
  const { properties } = (toolEntry(tool) as { inputSchema: { properties: Record<string, unknown> } }).inputSchema
  assert.deepEqual(properties, {
    priority: { type: 'string', enum: ['P0', 'P1'], description: 'how urgent' },
    list: { type: 'array', items: { type: 'number', enum: [1, 2] } },
    nested: { type: 'object', properties: { either: { anyOf: [{ type: ['string', 'null'], enum: ['a', null] }, { type: 'boolean' }] } } },
    enum: input.properties.enum,
    plain: input.properties.plain,
  })
  assert.deepEqual(input, before)
})
