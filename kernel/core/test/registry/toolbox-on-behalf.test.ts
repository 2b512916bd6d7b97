import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Capability, closed, defined, definePlugin, defineTool, type Effect, type Role, type Tool, Type, toolbox } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const whoAmI = (name: string, capability: Capability, effect: Effect = 'write'): Tool =>
  defineTool({
    name,
    description: 'Answers with the caller as it sees it.',
    capability,
    effect,
    input: Type.Object({}, closed),
    output: Type.Object({}),
    handle: async (_args, _uses, { principal, via }) => ({ ...principal, via }),
  })

const callAs = defineTool({
  name: 'call_as',
  description: 'Calls a tool for someone else.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      tool: Type.String(),
      id: Type.String(),
      role: Type.String(),
      label: Type.Optional(Type.String()),
      args: Type.Optional(Type.Object({})),
    },
    closed,
  ),
  output: Type.Object({}),
  uses: { toolbox },
  handle: async ({ tool, id, role, label, args = {} }, { toolbox }) =>
    (await toolbox.call(tool, args, { as: { id, role: role as Role, ...defined({ label }) } })).result,
})

const callByModel = defineTool({
  name: 'call_by_model',
  description: 'Calls a tool with arguments that a model chose.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ tool: Type.String(), args: Type.Optional(Type.Object({})) }, closed),
  output: Type.Object({}),
  uses: { toolbox },
  handle: async ({ tool, args = {} }, { toolbox }) => (await toolbox.call(tool, args, { byModel: true })).result,
})

const plugin = definePlugin({
  id: 'who',
  sdk: '^1.0.0',
  description: 'Says who calls.',
  tools: [callAs, callByModel, whoAmI('who_works', 'work'), whoAmI('who_configures', 'configure'), whoAmI('who_operates', 'operator')],
})

const system = { id: 'system', kind: 'system', role: 'system', tenantId: 'acme' } as const

describe('a call on behalf of another', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startTestGateway({ plugins: [plugin], env: { RBAC_ENFORCE: 'on' } })
  })
  after(() => gateway.stop())
  const call = (tool: string, id: string, role: string, as: object = system, args = {}) =>
    gateway.call('call_as', { tool, id, role, args }, { as, via: 'job' })

  it('is made as that principal, in the caller’s tenant, and its kind stays the caller’s', async () => {
    assert.deepEqual(await call('who_works', 'ann', 'member'), { id: 'ann', kind: 'system', role: 'member', tenantId: 'acme', via: 'job' })
    assert.equal((await call('who_works', 'ann', 'member', system, { tenantId: 'beta' })).tenantId, 'acme')
  })

  it('has the label of that principal, and never the caller’s own', async () => {
    const labelled = { ...system, label: 'mine' }
    assert.equal((await call('who_works', 'ann', 'member', labelled)).label, undefined)
    const theirs = { tool: 'who_works', id: 'key:k-1', role: 'member', label: 'ci' }
    assert.equal((await gateway.call('call_as', theirs, { as: labelled, via: 'job' })).label, 'ci')
  })

  it('by a model is marked, with the calls that it makes, on behalf of others too', async () => {
    const as = { id: 'ann', kind: 'user', role: 'member', tenantId: 'acme' } as const
    const seen = (tool: string, args = {}) => gateway.call('call_by_model', { tool, args }, { as })
    assert.equal((await gateway.call('who_works', {}, { as })).byModel, undefined)
    assert.equal((await seen('who_works')).byModel, true)
    assert.equal((await seen('call_as', { tool: 'who_works', id: 'ann', role: 'member' })).byModel, true)
    assert.equal((await seen('call_as', { tool: 'call_by_model', id: 'ann', role: 'member', args: { tool: 'who_works' } })).byModel, true)
  })

  it('is audited as that principal', async () => {
    await call('who_works', 'bob', 'member')
    const row = (await gateway.audit('acme')).at(-1)
    assert.deepEqual([row?.tool, row?.principal], ['who_works', { id: 'bob', kind: 'system', role: 'member' }])
  })

  it('may do what that role may, whatever the caller may', async () => {
    await call('who_configures', 'ann', 'admin')
    const refusal = { code: 'FORBIDDEN', message: /who_configures needs the capability configure.*the caller is member/ }
    await assert.rejects(call('who_configures', 'ann', 'member'), refusal)
    await assert.rejects(call('who_operates', 'ann', 'owner'), { code: 'FORBIDDEN', message: /needs the capability operator/ })
    await call('who_operates', 'operator', 'operator')
  })

  it('lends nobody more than he has', async () => {
    const admin = { id: 'eve', kind: 'user', role: 'admin', tenantId: 'acme' }
    const refusal = { code: 'FORBIDDEN', message: /role admin cannot act for ann, whose role is owner/ }
    await assert.rejects(call('who_works', 'ann', 'owner', admin), refusal)
    for (const role of ['system', 'operator']) await assert.rejects(call('who_operates', 'x', role, admin), { code: 'FORBIDDEN' })
    assert.equal((await call('who_configures', 'ann', 'admin', admin)).id, 'ann')
  })
})
