import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import tenants from '../src/index.ts'

const settings = (capability: 'work' | 'configure') =>
  defineTool({
    name: `needs_${capability}`,
    description: 'Does nothing.',
    capability,
    effect: 'write',
    input: Type.Object({}, closed),
    output: Type.Object({}, closed),
    handle: async () => ({}),
  })
const sample = definePlugin({ id: 'sample', sdk: '^1.0.0', description: 'Two tools.', tools: [settings('work'), settings('configure')] })
const start = (env = {}) => startTestGateway({ plugins: [tenants, sample], env })
const report = { method: 'GET', url: '/api/rbac/shadow' }

test('it counts what enforcement would have refused, by caller and operation, most often first', async () => {
  await using gateway = await start()
  assert.deepEqual((await gateway.inject(report)).json(), { enforced: false, count: 0, dropped: 0, entries: [] })
  const ann = { id: 'ann', kind: 'user', role: 'viewer', tenantId: 'acme' } as const
  await gateway.call('needs_work', {}, { as: ann })
  for (let i = 0; i < 3; i++) {
    await gateway.call('needs_configure', {}, { as: ann })
    gateway.clock.advance(60)
  }
  const of = { tenantId: 'acme', principal: 'ann', role: 'viewer', firstAt: '2026-01-05T09:00:00.000Z' }
  assert.deepEqual((await gateway.inject(report)).json(), {
    enforced: false,
    count: 2,
    dropped: 0,
    entries: [
      { ...of, operation: 'needs_configure', capability: 'configure', leastRole: 'admin', count: 3, lastAt: '2026-01-05T09:02:00.000Z' },
      { ...of, operation: 'needs_work', capability: 'work', leastRole: 'member', count: 1, lastAt: '2026-01-05T09:00:00.000Z' },
    ],
  })
})

test('it spans tenants, so it is for the operator, in shadow mode too', async () => {
  await using gateway = await start()
  const owner = { id: 'ann', kind: 'user', role: 'owner', tenantId: 'acme' } as const
  await assert.rejects(gateway.call('rbac.shadow', {}, { as: owner }), { code: 'FORBIDDEN' })
})

test('enforced, it says so and counts nothing', async () => {
  await using gateway = await start({ RBAC_ENFORCE: 'on' })
  const viewer = { id: 'ann', kind: 'user', role: 'viewer', tenantId: 'acme' } as const
  await assert.rejects(gateway.call('needs_work', {}, { as: viewer }), { code: 'FORBIDDEN' })
  assert.deepEqual((await gateway.inject(report)).json(), { enforced: true, count: 0, dropped: 0, entries: [] })
})
