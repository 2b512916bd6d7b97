import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  closed,
  type DashboardView,
  definePage,
  definePlugin,
  defineTool,
  Panel,
  type Principal,
  type ToolInfo,
  Type,
  toolbox,
} from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { addTenants, SESSION_SECRET, userOf } from '../../../mcp/test/tokens.ts'

const SENTENCE = 'Only the tenant local may look at the machine.'
const plain = { description: 'Does it.', effect: 'write', input: Type.Object({}, closed), output: Type.Object({}) } as const
const reset = defineTool({ ...plain, name: 'reset_all', capability: 'configure', localOnly: true, handle: async () => ({}) })
const look = defineTool({ ...plain, name: 'look_around', capability: 'work', localOnly: SENTENCE, handle: async () => ({}) })
const list = defineTool({
  ...plain,
  name: 'row_list',
  effect: 'read',
  capability: 'read',
  output: Type.Object({ rows: Type.Array(Type.Object({ id: Type.String() })) }),
  handle: async () => ({ rows: [] }),
})
const box = defineTool({
  ...plain,
  name: 'box_look',
  capability: 'read',
  effect: 'read',
  uses: { toolbox },
  async handle(_, { toolbox }) {
    const planned = await toolbox.check('look_around', {}).catch((error: Error) => error)
    const tools = toolbox.list().map(({ name }: ToolInfo) => name)
    return { tools, got: toolbox.get('reset_all') !== undefined, planned: (planned as Error | undefined)?.message ?? null }
  },
})
const page = definePage({
  path: '/rows',
  title: 'Rows',
  description: 'The rows.',
  icon: 'list',
  group: 'fleet',
  order: 1,
  panels: [
    Panel.table({
      id: 'rows',
      title: 'Rows',
      from: list,
      rows: '/rows',
      key: '/id',
      columns: { Id: '/id' },
      actions: [{ id: 'reset', label: 'Reset', icon: 'rotate-ccw', tool: reset, arguments: {} }],
      empty: 'None.',
    }),
  ],
})
const plugin = definePlugin({
  id: 'rows',
  sdk: '^1.0.0',
  description: 'Has rows and looks around.',
  tools: [reset, look, list, box],
  pages: [page],
})

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [plugin], env: { GATEWAY_JWT_SECRET: SESSION_SECRET } })
  await addTenants(gateway, 'acme')
})
after(() => gateway.stop())

const of = (tenantId: string): { as: Principal } => ({ as: { id: 'ann', kind: 'user', role: 'owner', tenantId } })
const ALL = ['reset_all', 'look_around', 'row_list', 'box_look']
const OPEN = ['row_list', 'box_look']
const names = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name)

test('a caller of another tenant sees a tool of the tenant local in no list', async () => {
  for (const [tenantId, expected] of Object.entries({ local: ALL, acme: OPEN })) {
    const headers = userOf(tenantId, 'ann')
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    assert.deepEqual(names((await gateway.inject({ method: 'POST', url: '/mcp', headers, body })).json().result.tools), expected)
    assert.deepEqual(names((await gateway.inject({ method: 'GET', url: '/api/tools', headers })).json().tools), expected)
    const looked = await gateway.call('box_look', {}, of(tenantId))
    assert.deepEqual([looked.tools, looked.got, looked.planned], [expected, tenantId === 'local', tenantId === 'local' ? null : SENTENCE])
    const { pages } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages', headers })).json() as DashboardView
    const [panel] = pages.find(({ path }) => path === '/rows')?.panels ?? []
    assert.deepEqual(
      (panel as { actions?: readonly { id: string }[] }).actions?.map(({ id }) => id) ?? [],
      tenantId === 'local' ? ['reset'] : [],
    )
  }
})

test('it refuses other tenants whatever their role, with its own sentence if it has one, also while roles are only logged', async () => {
  await gateway.call('reset_all', {}, of('local'))
  await gateway.call('look_around', {}, of('local'))
  const message = /^reset_all needs the capability operator, which the role operator has; the caller is owner\.$/
  await assert.rejects(gateway.call('reset_all', {}, of('acme')), { code: 'FORBIDDEN', message })
  await assert.rejects(gateway.call('look_around', {}, of('acme')), { code: 'FORBIDDEN', message: SENTENCE })
  await gateway.call('look_around', {}, { as: { ...of('acme').as, role: 'operator' } })
  assert.deepEqual(
    gateway.logs.filter(({ event }) => event === 'rbac.shadow'),
    [],
  )
})

test('a value that is neither true nor a sentence stops the start', async () => {
  const tool = { ...look, localOnly: 'yes' as const }
  await (await startTestGateway({ plugins: [{ ...plugin, pages: [], tools: [tool] }] })).stop()
  for (const localOnly of [false, '', 1]) {
    const wrong = { ...look, localOnly } as unknown as typeof look
    await assert.rejects(startTestGateway({ plugins: [{ ...plugin, pages: [], tools: [wrong] }] }), /localOnly must be true or a sentence/)
  }
})
