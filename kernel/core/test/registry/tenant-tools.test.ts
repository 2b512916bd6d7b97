import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BadRequest,
  closed,
  contribute,
  defineError,
  definePlugin,
  defineTool,
  type Plugin,
  type TenantTool,
  type Toolbox,
  type ToolInfo,
  Type,
  tenantTools,
  toolbox,
} from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { perCaller } from '../../../mcp/src/tool-list.ts'
import { everything } from '../../../mcp/src/views.ts'
import { booted, caller } from './booted.ts'

const Spilt = defineError('SPILT', { status: 418, description: 'It was spilt.', details: Type.Object({}), message: () => 'Spilt.' })
const Burnt = defineError('BURNT', { status: 418, description: 'It was burnt.', details: Type.Object({}), message: () => 'Burnt.' })
const bob = { id: 'bob', kind: 'user', role: 'member', tenantId: 'bolt' } as const
const ada = caller.principal

function tool(name: string, more: Partial<TenantTool> = {}): TenantTool {
  return {
    name,
    description: `The tool ${name}.`,
    capability: 'work',
    effect: 'write',
    input: { type: 'object' },
    validate: (args) => ({ ...args, checked: true }),
    ...more,
  }
}

/** A plugin with tools per tenant, set by each test; it counts the requests for them. */
function sourceFixture(id = 'source') {
  const tools = new Map<string, TenantTool[]>()
  const asked = { revision: 0, list: 0 }
  const revisions = new Map<string, number>()
  const box: { toolbox?: Toolbox } = {}
  const plugin = definePlugin({
    id,
    sdk: '^1.0.0',
    description: 'Tools of tenants, for tests.',
    tools: [
      defineTool({
        name: `${id}_built_in`,
        description: 'For tests.',
        capability: 'read',
        effect: 'read',
        input: Type.Object({}, closed),
        output: Type.Object({}),
        uses: { toolbox },
        async handle(_args, refs) {
          box.toolbox = refs.toolbox
          return { builtIn: true }
        },
      }),
    ],
    contributes: [
      contribute(tenantTools, {
        errors: [Spilt],
        create: (_uses, ctx) => ({
          async revision() {
            asked.revision++
            return String(revisions.get(ctx.tenantId) ?? '')
          },
          async list() {
            asked.list++
            return tools.get(ctx.tenantId) ?? []
          },
          async call({ name }, args) {
            ctx.audit('source.called', { name }, { always: true })
            ctx.audit('source.succeeded')
            if (args.fail === 'declared') throw Spilt({})
            if (args.fail === 'undeclared') throw Burnt({})
            if (args.fail) throw new Error('unforeseen')
            return { name, args, tenantId: ctx.tenantId, by: id }
          },
        }),
      }),
    ],
  })
  const set = (tenantId: string, list: TenantTool[]): void => {
    tools.set(tenantId, list)
    revisions.set(tenantId, (revisions.get(tenantId) ?? 0) + 1)
  }
  return { plugin, asked, set, box }
}

const start = (...plugins: Plugin[]) => startTestGateway({ plugins })

test('a tool of a tenant is called on the one path, with the tenant dropped from its arguments and what its validator made of them', async () => {
  const { plugin, set } = sourceFixture()
  await using gateway = await start(plugin)
  set('acme', [tool('pour')])
  const result = await gateway.call('pour', { a: 1, tenantId: 'bolt' }, { as: ada })
  assert.deepEqual(result, { name: 'pour', args: { a: 1, checked: true }, tenantId: 'acme', by: 'source' })
  await assert.rejects(gateway.call('pour', {}, { as: bob }), { code: 'UNKNOWN_TOOL' })
  await assert.rejects(gateway.call('pour', [] as object, { as: ada }), { code: 'BAD_REQUEST' })
})

test('its validator, its declared errors and its faults answer as those of any tool', async () => {
  const { plugin, set } = sourceFixture()
  await using gateway = await start(plugin)
  const validate = (): never => {
    throw BadRequest({ field: 'a', message: '`a` is wrong.' })
  }
  set('acme', [tool('pour'), tool('strict', { validate })])
  await assert.rejects(gateway.call('strict', {}, { as: ada }), { code: 'BAD_REQUEST', details: { field: 'a', message: '`a` is wrong.' } })
  await assert.rejects(gateway.call('pour', { fail: 'declared' }, { as: ada }), { code: 'SPILT', status: 418 })
  await assert.rejects(gateway.call('pour', { fail: 'undeclared' }, { as: ada }), { code: 'INTERNAL_ERROR' })
  await assert.rejects(gateway.call('pour', { fail: true }, { as: ada }), { code: 'INTERNAL_ERROR' })
  assert.ok(gateway.logs.some(({ plugin, operation }) => plugin === 'source' && operation === 'pour'))
})

test('a call is audited; a record that is asked for always is written when it fails too', async () => {
  const { plugin, set } = sourceFixture()
  await using gateway = await start(plugin)
  set('acme', [tool('pour'), tool('peek', { effect: 'read', capability: 'read' })])
  await gateway.call('pour', {}, { as: ada })
  await assert.rejects(gateway.call('pour', { fail: true }, { as: ada }))
  await gateway.call('peek', {}, { as: ada })
  assert.deepEqual(
    (await gateway.audit('acme')).map(({ name, tool, decision }) => [name, tool, decision]),
    [
      ['tool.call', 'pour', 'ok'],
      ['source.called', 'pour', 'ok'],
      ['source.succeeded', 'pour', 'ok'],
      ['tool.call', 'pour', 'INTERNAL_ERROR'],
      ['source.called', 'pour', 'INTERNAL_ERROR'],
    ],
  )
})

test('a tool of the gateway wins its name, and of two sources the first', async () => {
  const [one, two] = [sourceFixture('one'), sourceFixture('two')]
  await using gateway = await start(one.plugin, two.plugin)
  one.set('acme', [tool('one_built_in'), tool('two_built_in'), tool('pour')])
  two.set('acme', [tool('pour'), tool('stir')])
  assert.deepEqual(await gateway.call('one_built_in', {}, { as: ada }), { builtIn: true })
  assert.deepEqual(await gateway.call('two_built_in', {}, { as: ada }), { builtIn: true })
  assert.equal((await gateway.call('pour', {}, { as: ada })).by, 'one')
  assert.equal((await gateway.call('stir', {}, { as: ada })).by, 'two')
})

test('calls of the gateway’s own tools ask no source for anything', async () => {
  const { plugin, set, asked } = sourceFixture()
  await using gateway = await start(plugin)
  set('acme', [tool('pour')])
  for (let i = 0; i < 5; i++) await gateway.call('source_built_in', {}, { as: ada })
  assert.deepEqual(asked, { revision: 0, list: 0 })
})

test('the tools are read once for a revision, and anew for another; a tenant without any is not asked for a list', async () => {
  const { plugin, set, asked } = sourceFixture()
  await using gateway = await start(plugin)
  set('acme', [tool('pour')])
  for (let i = 0; i < 5; i++) await gateway.call('pour', {}, { as: ada })
  assert.deepEqual(asked, { revision: 5, list: 1 })
  set('acme', [tool('stir')])
  await assert.rejects(gateway.call('pour', {}, { as: ada }), { code: 'UNKNOWN_TOOL' })
  await gateway.call('stir', {}, { as: ada })
  assert.equal(asked.list, 2)
  await assert.rejects(gateway.call('pour', {}, { as: bob }), { code: 'UNKNOWN_TOOL' })
  assert.equal(asked.list, 2)
})

test('without a source the tools of a tenant are none, at once', async () => {
  await using gateway = await booted([])
  assert.deepEqual(gateway.tenantTools(ada), [])
})

test('a list is made once per tenant, role and view for as long as the tools are the same', async () => {
  const { plugin, set } = sourceFixture()
  await using gateway = await booted([plugin])
  let made = 0
  const list = perCaller(gateway, (tools) => {
    made++
    return tools.map(({ item }) => item.name)
  })
  const shared = await list(bob, everything)
  assert.deepEqual(shared, ['source_built_in'])
  set('acme', [tool('pour'), tool('peek', { capability: 'operator' })])
  const first = await list(ada, everything)
  assert.deepEqual(first, ['source_built_in', 'pour'])
  assert.equal(await list(ada, everything), first)
  assert.equal(await list(bob, everything), shared)
  assert.equal(made, 2)
  assert.deepEqual(await list({ ...ada, role: 'operator' }, everything), ['source_built_in', 'pour', 'peek'])
  set('acme', [])
  assert.equal(await list(ada, everything), shared)
})

test('a toolbox has the tools of its caller’s tenant apart, finds them after the gateway’s, and calls them', async () => {
  const { plugin, set, box } = sourceFixture()
  await using gateway = await start(plugin)
  const open = async (as: typeof bob | typeof ada): Promise<Toolbox> => {
    await gateway.call('source_built_in', {}, { as })
    return box.toolbox as Toolbox
  }
  set('acme', [tool('pour'), tool('secret', { capability: 'operator' })])
  const of = await open(ada)
  const names = (infos: readonly ToolInfo[]): string[] => infos.map(({ name }) => name)
  assert.deepEqual([names(of.list()), names(await of.own())], [['source_built_in'], ['pour']])
  assert.equal(await of.own(), await of.own())
  assert.deepEqual(await of.find('pour'), {
    name: 'pour',
    plugin: 'source',
    description: 'The tool pour.',
    capability: 'work',
    effect: 'write',
    input: { type: 'object' },
  })
  assert.equal((await of.find('source_built_in'))?.effect, 'read')
  assert.deepEqual([of.get('pour'), await of.find('secret'), await of.find('nothing')], [undefined, undefined, undefined])
  assert.equal(((await of.call('pour', {})).result as { tenantId: string }).tenantId, 'acme')
  const theirs = await open(bob)
  assert.deepEqual([await theirs.own(), await theirs.find('pour')], [[], undefined])
  await assert.rejects(theirs.call('pour', {}), { code: 'UNKNOWN_TOOL' })
})
