import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineCollection, defineJob, definePlugin, defineTool, syntheticTenant, Type, throughout, toolbox } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const marks = defineCollection('trial', { schema: Type.Object({ markId: Type.String() }, closed), key: 'markId' })
const begun: string[] = []
const round = defineJob('trial.round', { everySeconds: 60, gatewayWide: true, run: async (_uses, ctx) => void begun.push(ctx.tenantId) })
const tool = { description: 'For tests.', capability: 'work', effect: 'write', output: Type.Object({}) } as const
const plugin = definePlugin({
  id: 'trial',
  sdk: '^1.0.0',
  description: 'For tests.',
  collections: [marks],
  jobs: [round],
  tools: [
    defineTool({
      ...tool,
      name: 'trial_mark',
      input: Type.Object({}, closed),
      uses: { marks },
      handle: async (_args, { marks }, ctx) => ({ ...(await marks.insert({ markId: ctx.newId('mark-') })), by: ctx.principal }),
    }),
    defineTool({
      ...tool,
      name: 'trial_elsewhere',
      input: Type.Object({ tenant: Type.String() }, closed),
      uses: { toolbox },
      handle: async ({ tenant }, { toolbox }) =>
        (await toolbox.call('trial_mark', {}, { in: tenant, as: { id: 'trier', role: 'member' } })).result,
    }),
    defineTool({
      ...tool,
      name: 'trial_reach',
      input: Type.Object({}, closed),
      uses: { everywhere: throughout(marks) },
      handle: async (_args, { everywhere }) => ({ tenants: (await everywhere()).map(({ tenantId }) => tenantId) }),
    }),
    defineTool({
      ...tool,
      name: 'trial_round',
      input: Type.Object({}, closed),
      uses: { round },
      handle: async (_args, { round }) => ({ runs: await round.run() }),
    }),
  ],
})
const member = { tenantId: 'acme', kind: 'user', role: 'owner', id: 'ann' } as const

test('the gateway’s own principals may call in another tenant, as somebody there; a tenant’s caller may not', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const { by } = await gateway.call('trial_elsewhere', { tenant: 'acme' })
  assert.deepEqual([by.tenantId, by.id, by.role], ['acme', 'trier', 'member'])
  assert.equal((await gateway.documents('acme')).trial?.length, 1)
  assert.deepEqual((await gateway.documents()).trial, [])
  assert.equal((await gateway.audit('acme')).at(-1)?.tool, 'trial_mark')
  await assert.rejects(gateway.call('trial_elsewhere', { tenant: 'bolt' }, { as: member }), { code: 'FORBIDDEN' })
  assert.equal((await gateway.call('trial_elsewhere', { tenant: 'acme' }, { as: member })).by.tenantId, 'acme')
})

test('a synthetic tenant stands in no list and in nobody’s reach but its own', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const tenantId = syntheticTenant('trial')
  await gateway.tenants.create({ name: 'Trial', plan: 'free', tenantId, synthetic: true })
  await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  await gateway.call('trial_elsewhere', { tenant: tenantId })
  await gateway.call('trial_elsewhere', { tenant: 'acme' })
  assert.deepEqual(
    (await gateway.tenants.list()).map((tenant) => tenant.tenantId),
    ['acme'],
  )
  assert.deepEqual((await gateway.call('trial_reach')).tenants, ['local', 'acme'])
  assert.equal((await gateway.tenants.get(tenantId)).name, 'Trial')
})

test('only what says so gets a synthetic tenant’s id, and it gets no other', async () => {
  await using gateway = await startTestGateway({ plugins: [] })
  const tenant = { name: 'Trial', plan: 'free' } as const
  await assert.rejects(gateway.tenants.create({ ...tenant, tenantId: syntheticTenant('x') }), { code: 'BAD_REQUEST' })
  await assert.rejects(gateway.tenants.create({ ...tenant, tenantId: 'x', synthetic: true }), { code: 'BAD_REQUEST' })
})

test('a job that is gateway-wide runs once, in the operator’s own tenant, whoever asks for it', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  await gateway.call('trial_mark', {}, { as: member })
  begun.length = 0
  await gateway.runJob('trial.round')
  for (const as of [{}, member]) {
    const { runs } = await gateway.call('trial_round', {}, { as })
    assert.deepEqual(
      runs.map(({ tenantId }: { tenantId: string }) => tenantId),
      ['local'],
    )
  }
  assert.deepEqual(begun, ['local', 'local', 'local'])
})
