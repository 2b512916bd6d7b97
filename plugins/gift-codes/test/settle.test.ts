import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, gatewayWide, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { giftCodes, redemptions } from '../src/collections.ts'
import plugin from '../src/index.ts'
import { hashOf } from '../src/rules/code.ts'
import { as, mint, planOf } from './support.ts'

const wish = { plan: 'team', state: 'pending', requestedAt: '2026-01-01T00:00:00.000Z' } as const
const input = Type.Object({ codeHash: Type.String(), by: Type.Optional(Type.String()) }, closed)
/** Leaves the state after a crash: the request of a tenant, and a taken code. */
const crashed = [
  defineTool({
    name: 'leave_wish',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input,
    output: Type.Object({}),
    uses: { redemptions },
    handle: async ({ codeHash }, { redemptions }) => redemptions.insert({ codeHash, ...wish }),
  }),
  defineTool({
    name: 'leave_taken',
    description: 'For tests.',
    capability: 'operator',
    effect: 'write',
    input,
    output: Type.Object({}),
    uses: { codes: gatewayWide(giftCodes) },
    handle: async ({ codeHash, by = '' }, { codes }) =>
      (await codes.writable().updateOne(codeHash, { set: { redeemedBy: by, redeemedAt: wish.requestedAt } })) ?? {},
  }),
]

const start = async () => {
  const gateway = await startTestGateway({ plugins: [definePlugin({ ...plugin, tools: crashed } as Parameters<typeof definePlugin>[0])] })
  for (const tenantId of ['acme', 'other']) await gateway.tenants.create({ tenantId, name: tenantId, plan: 'free' })
  return gateway
}

for (const by of [undefined, 'acme']) {
  test(`a crash ${by ? 'after' : 'before'} the code was taken leaves a wish that the job fulfils, once`, async () => {
    await using gateway = await start()
    const codeHash = hashOf(await mint(gateway))
    if (by) await gateway.call('leave_taken', { codeHash, by })
    await gateway.call('leave_wish', { codeHash }, as('acme'))
    await gateway.runJob('gift-codes.settle')
    await gateway.runJob('gift-codes.settle')
    assert.equal(await planOf(gateway), 'team')
    assert.equal((await gateway.call('gift-codes.license-status', {}, as('acme'))).gift.plan, 'team')
    assert.equal((await gateway.call('gift-codes.list')).giftCodes[0].redeemedBy, 'acme')
  })
}

test('a wish for a code that another tenant has is dropped, and raises nothing', async () => {
  await using gateway = await start()
  const codeHash = hashOf(await mint(gateway))
  await gateway.call('leave_taken', { codeHash, by: 'other' })
  await gateway.call('leave_wish', { codeHash }, as('acme'))
  await gateway.runJob('gift-codes.settle')
  assert.equal(await planOf(gateway), 'free')
  assert.deepEqual((await gateway.documents('acme'))['gift-codes.redemptions'] ?? [], [])
})
