import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

const of = (tenantId: string) => ({ as: { tenantId, kind: 'user', role: 'member' } }) as const

test('each tenant has slots of its own, and its callers see no others', async () => {
  await using gateway = await start()
  for (const tenantId of ['acme', 'bolt']) {
    const { lease } = await gateway.call('runner_lease_acquire', { holder: `${tenantId}-1`, slots: 1 }, of(tenantId))
    await gateway.call(
      'runner_lease_release',
      lease.holder === 'bolt-1' ? { holder: 'bolt-1', slot: 1 } : { holder: 'x', slot: 1 },
      of(tenantId),
    )
  }
  const { slots, active } = await gateway.call('runner_lease_list', { slots: 1 }, of('acme'))
  assert.deepEqual([slots.length, slots[0].holder, slots[0].tenantId, active], [1, 'acme-1', undefined, 1])
  assert.deepEqual((await gateway.call('runner_lease_history', {}, of('acme'))).history, [])
})

test('the operator sees its own slots, and what the other tenants hold and held, by tenant', async () => {
  await using gateway = await start()
  await gateway.call('runner_lease_acquire', { holder: 'ada' })
  for (const tenantId of ['acme', 'bolt']) await gateway.call('runner_lease_acquire', { holder: 'bob' }, of(tenantId))
  const { slots, active, max } = await gateway.call('runner_lease_list')
  type Row = { tenantId?: string; slot: number; holder?: string }
  assert.deepEqual(
    slots.map(({ tenantId, slot, holder }: Row) => [tenantId, slot, holder]),
    [
      [undefined, 1, 'ada'],
      [undefined, 2, undefined],
      ['acme', 1, 'bob'],
      ['bolt', 1, 'bob'],
    ],
  )
  assert.deepEqual([active, max], [3, 2])

  for (const tenantId of ['bolt', 'acme']) {
    gateway.clock.advance(1)
    await gateway.call('runner_lease_release', { holder: 'bob', slot: 1 }, of(tenantId))
  }
  await gateway.call('runner_lease_release', { holder: 'ada', slot: 1 })
  const tenants = async (args: object) =>
    (await gateway.call('runner_lease_history', args)).history.map(({ tenantId }: Row) => tenantId ?? 'own')
  assert.deepEqual(await tenants({}), ['own', 'acme', 'bolt'])
  assert.deepEqual(await tenants({ limit: 2 }), ['own', 'acme'])
})
