import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  BadRequest,
  closed,
  defineError,
  definePlugin,
  defineRoute,
  defineTool,
  elicit,
  type Principal,
  type ToolInfo,
  Type,
  toolbox,
  withContent,
} from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import { InputRequired } from '../../src/errors.ts'
import { noClient } from '../../src/registry/no-client.ts'
import { booted, caller } from './booted.ts'

const Nothing = Type.Object({}, closed)
const Anything = Type.Object({})
const Gone = defineError('TARGET_GONE', {
  status: 410,
  description: 'Gone.',
  details: Type.Object({ since: Type.Integer() }),
  message: ({ since }) => `Gone since ${since}.`,
})
const read = { description: 'A target.', capability: 'read', effect: 'read', input: Nothing, output: Anything } as const
const write = { ...read, capability: 'work', effect: 'write' } as const

const target = definePlugin({
  id: 'target',
  sdk: '^1.0.0',
  description: 'What there is to call.',
  routes: [defineRoute({ ...read, name: 'target.route', rest: 'GET /api/target', handle: async () => ({ route: true }) })],
  tools: [
    defineTool({ ...read, name: 'who_am_i', handle: async (_, __, { principal, via, requestId }) => ({ ...principal, via, requestId }) }),
    defineTool({
      ...write,
      name: 'note_it',
      async handle(_, __, ctx) {
        ctx.audit('noted')
        return {}
      },
    }),
    defineTool({
      ...write,
      name: 'be_gone',
      errors: [Gone],
      async handle() {
        throw Gone({ since: 7 })
      },
    }),
    defineTool({ ...write, name: 'configure_it', capability: 'configure', handle: async () => ({}) }),
    defineTool({ ...read, name: 'read_bills', capability: 'billing', handle: async () => ({}) }),
    defineTool({ ...read, name: 'operate', capability: 'operator', handle: async () => ({}) }),
    defineTool({ ...read, name: 'show', handle: async () => withContent({ width: 1 }, [{ type: 'text', text: 'shown' }]) }),
    defineTool({
      ...read,
      name: 'follow',
      async handle(_, __, ctx) {
        ctx.progress(1, 2, 'halfway')
        return { stopped: ctx.signal.aborted }
      },
    }),
    defineTool({
      ...read,
      name: 'ask_back',
      handle: async (_, __, ctx) => ({ ...(await ctx.client.ask({ name: elicit('Who?', { type: 'object', properties: {} }) })) }),
    }),
    defineTool({ ...read, name: 'listed_in_core', listing: 'core', handle: async () => ({}) }),
    defineTool({ ...read, name: 'only_in_core', listing: 'core-only', handle: async () => ({}) }),
  ],
})

const lists: (readonly ToolInfo[])[] = []
const box = definePlugin({
  id: 'box',
  sdk: '^1.0.0',
  description: 'Calls tools.',
  tools: [
    defineTool({
      ...read,
      name: 'box_list',
      uses: { toolbox },
      async handle(_, { toolbox }) {
        lists.push(toolbox.list())
        return { tools: toolbox.list() }
      },
    }),
    defineTool({
      ...read,
      name: 'box_get',
      input: Type.Object({ name: Type.String() }, closed),
      uses: { toolbox },
      handle: async ({ name }, { toolbox }) => ({ tool: toolbox.get(name) ?? null }),
    }),
    defineTool({
      ...write,
      name: 'box_call',
      input: Type.Object({ name: Type.String(), args: Type.Optional(Anything) }, closed),
      uses: { toolbox },
      handle: ({ name, args = {} }, { toolbox }) => toolbox.call(name, args),
    }),
    defineTool({
      ...read,
      name: 'box_call_off',
      input: Type.Object({ ends: Type.Boolean() }, closed),
      uses: { toolbox },
      async handle({ ends }, { toolbox }) {
        const signal = ends ? AbortSignal.abort(new Error('enough')) : new AbortController().signal
        return (await toolbox.call('follow', {}, { signal })).result
      },
    }),
    defineTool({
      ...write,
      name: 'box_excuse',
      uses: { toolbox },
      async handle(_, { toolbox }) {
        const refusal = await toolbox.call('be_gone', {}).catch((error: Error) => error)
        throw BadRequest({ message: (refusal as Error).message })
      },
    }),
  ],
})

const start = (options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> => startTestGateway({ plugins: [target, box], ...options })
const as = (role: Principal['role']): { as: Principal } => ({ as: { id: 'ada', kind: 'user', role, tenantId: 'acme' } })
const names = async (gateway: TestGateway, role: Principal['role']): Promise<string[]> =>
  (await gateway.call('box_list', {}, as(role))).tools.map(({ name }: ToolInfo) => name)

const offered = [...target.tools, ...box.tools].filter(({ listing }) => listing !== 'core-only')
const withCapability = (...capabilities: string[]): string[] =>
  offered.filter(({ capability }) => capabilities.includes(capability)).map(({ name }) => name)

describe('the toolbox', () => {
  it('lists what the caller’s role may call under enforcement, in the order of the default list', async () => {
    await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
    assert.deepEqual(await names(gateway, 'viewer'), withCapability('read'))
    assert.deepEqual(await names(gateway, 'member'), withCapability('read', 'work'))
    assert.deepEqual(await names(gateway, 'admin'), withCapability('read', 'work', 'configure'))
    assert.deepEqual(await names(gateway, 'owner'), withCapability('read', 'work', 'configure', 'billing'))
    assert.deepEqual(
      await names(gateway, 'operator'),
      offered.map(({ name }) => name),
    )
  })

  it('lists all but the operator’s in shadow mode, where a call is let through', async () => {
    await using gateway = await start()
    assert.deepEqual(
      await names(gateway, 'viewer'),
      offered.map(({ name }) => name).filter((name) => name !== 'operate'),
    )
    assert.deepEqual(await gateway.call('box_call', { name: 'configure_it' }, as('viewer')), { result: {} })
  })

  it('says of a tool what it takes to choose and to call it', async () => {
    await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
    const get = async (name: string) => (await gateway.call('box_get', { name }, as('member'))).tool
    const input = { type: 'object', required: ['name'], properties: { name: { type: 'string' } }, additionalProperties: false }
    const about = { name: 'box_get', plugin: 'box', description: 'A target.', capability: 'read', effect: 'read', input }
    assert.deepEqual(await get('box_get'), about)
    for (const hidden of ['configure_it', 'operate', 'only_in_core', 'target.route', 'nothing', '__proto__'])
      assert.equal(await get(hidden), null)
  })

  it('gives the very same list as long as it holds the same tools, and one for each role', async () => {
    await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
    lists.length = 0
    for (const role of ['viewer', 'member', 'viewer'] as const) await gateway.call('box_list', {}, as(role))
    const [first, second, third] = lists
    assert.equal(first, third)
    assert.notEqual(first, second)
    assert.throws(() => (first as ToolInfo[]).pop(), TypeError, 'nobody can change what others are given')
  })

  it('calls as the caller: the same person, tenant, transport and request', async () => {
    await using gateway = await start()
    const { result } = await gateway.call('box_call', { name: 'who_am_i', args: { tenantId: 'other' } }, { ...as('member'), via: 'rest' })
    const { requestId, ...who } = result
    assert.deepEqual(who, { ...as('member').as, via: 'rest' })
    const [row] = await gateway.audit('acme')
    assert.equal(row?.requestId, requestId)
  })

  it('leaves a row of each call in the audit trail, under one request id', async () => {
    await using gateway = await start()
    await gateway.call('box_call', { name: 'note_it' }, as('member'))
    const rows = await gateway.audit('acme')
    assert.deepEqual(
      rows.map(({ name, tool, decision }) => [name, tool, decision]),
      [
        ['tool.call', 'note_it', 'ok'],
        ['noted', 'note_it', 'ok'],
        ['tool.call', 'box_call', 'ok'],
      ],
    )
    assert.equal(new Set(rows.map(({ requestId }) => requestId)).size, 1)
    assert.deepEqual(await gateway.audit('local'), [])
  })

  it('lets a refusal through as it is, although the calling tool does not declare it', async () => {
    await using gateway = await start()
    const refusal = { code: 'TARGET_GONE', status: 410, message: 'Gone since 7.', details: { since: 7 } }
    await assert.rejects(gateway.call('box_call', { name: 'be_gone' }, as('member')), refusal)
    await assert.rejects(gateway.call('box_call', { name: 'who_am_i', args: { colour: 'red' } }, as('member')), {
      code: 'BAD_REQUEST',
      details: { field: 'colour', message: '`colour` is not known here; known are: none.' },
    })
    assert.deepEqual(
      (await gateway.audit('acme')).map(({ tool, decision }) => [tool, decision]),
      [
        ['be_gone', 'TARGET_GONE'],
        ['box_call', 'TARGET_GONE'],
        ['box_call', 'BAD_REQUEST'],
      ],
    )
    assert.deepEqual(
      gateway.logs.filter(({ level }) => Number(level) >= 40),
      [],
    )
  })

  it('leaves it to the calling tool to refuse in its own words', async () => {
    await using gateway = await start()
    await assert.rejects(gateway.call('box_excuse'), { code: 'BAD_REQUEST', message: 'Gone since 7.' })
  })

  it('refuses what the role may not call, as a direct call would, and writes that down', async () => {
    await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
    const message = 'read_bills needs the capability billing, which the role owner has; the caller is member.'
    await assert.rejects(gateway.call('box_call', { name: 'read_bills' }, as('member')), { code: 'FORBIDDEN', message })
    assert.deepEqual(
      (await gateway.audit('acme')).map(({ tool, decision }) => [tool, decision]),
      [
        ['read_bills', 'FORBIDDEN'],
        ['box_call', 'FORBIDDEN'],
      ],
    )
  })

  it('calls no plain route and nothing that stands in another view only, whoever asks', async () => {
    await using gateway = await start()
    for (const name of ['target.route', 'only_in_core', 'nothing', '__proto__', '']) {
      await assert.rejects(gateway.call('box_call', { name }), { code: 'UNKNOWN_TOOL', status: 404, details: { name } }, name)
    }
    assert.deepEqual(await gateway.call('box_call', { name: 'listed_in_core' }), { result: {} })
  })

  it('hands on what MCP clients are shown', async () => {
    await using gateway = await start()
    assert.deepEqual(await gateway.call('box_call', { name: 'show' }), { result: { width: 1 }, content: [{ type: 'text', text: 'shown' }] })
    assert.deepEqual(await gateway.call('box_call', { name: 'who_am_i' }).then(({ content }) => content), undefined)
  })

  it('passes progress, the signal and the client on to the called tool', async () => {
    await using gateway = await booted([target, box])
    const steps: unknown[] = []
    const progress = (...step: unknown[]): void => void steps.push(step)
    const args = { name: 'follow' }
    const signal = AbortSignal.abort(new Error('enough'))
    const stopped = await gateway.invoke({ ...caller, name: 'box_call', args, progress, signal })
    assert.deepEqual([stopped.ok && stopped.result, steps], [{ result: { stopped: true } }, [[1, 2, 'halfway']]])
    const client = { ...noClient, ask: async () => ({ name: { action: 'decline' } }) as never }
    const asked = await gateway.invoke({ ...caller, name: 'box_call', args: { name: 'ask_back' }, client })
    assert.deepEqual(asked.ok && asked.result, { result: { name: { action: 'decline' } } })
  })

  it('the called tool is told to end by the caller’s signal and by the calling tool’s', async () => {
    await using gateway = await booted([target, box])
    const call = async (ends: boolean, signal?: AbortSignal) => {
      const outcome = await gateway.invoke({ ...caller, name: 'box_call_off', args: { ends }, ...(signal && { signal }) })
      return outcome.ok && outcome.result
    }
    const [going, gone] = [new AbortController().signal, AbortSignal.abort(new Error('away'))]
    assert.deepEqual([await call(true), await call(true, going), await call(false, gone)], Array(3).fill({ stopped: true }))
    assert.deepEqual([await call(false), await call(false, going)], Array(2).fill({ stopped: false }))
  })

  it('a question of the called tool is a question of the calling one', async () => {
    await using gateway = await booted([target, box])
    const client = { ...noClient, ask: () => Promise.reject(InputRequired({})) }
    const asked = await gateway.invoke({ ...caller, name: 'box_call', args: { name: 'ask_back' }, client })
    assert.deepEqual([asked.ok, asked.ok || asked.error.code], [false, 'INPUT_REQUIRED'])
    const nobody = await gateway.invoke({ ...caller, name: 'box_call', args: { name: 'ask_back' } })
    assert.deepEqual([nobody.status, nobody.ok || nobody.error.code], [422, 'INPUT_UNAVAILABLE'])
  })
})
