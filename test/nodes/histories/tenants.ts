import { faults } from '../../linearizable/checker.ts'
import { type TenantCall, tenantModel } from '../../linearizable/models/tenants.ts'
import type { Caller, Family } from './caller.ts'

const TENANTS = ['acme', 'globex', 'initech']

/** Tenants that are suspended and let in again at any gateway, and call at any. */
export function tenantHistory(): Family {
  const calls: TenantCall[] = []
  const apiKeys = new Map<string, string>()

  async function change(tenantId: string, op: 'suspend' | 'reactivate', caller: Caller): Promise<void> {
    await caller.record<TenantCall, { ok: boolean }>(
      calls,
      { key: tenantId, request: { op } },
      () => caller.admin(`/${tenantId}/${op}`),
      ({ status }) => (status === 200 ? { ok: true } : undefined),
    )
  }

  async function use(tenantId: string, caller: Caller): Promise<void> {
    await caller.record<TenantCall, { ok: boolean }>(
      calls,
      { key: tenantId, request: { op: 'use' } },
      () => caller.tool('tasks_list', {}, { 'x-api-key': apiKeys.get(tenantId) ?? '' }),
      ({ status, json }) => {
        if (status === 200) return { ok: true }
        return json.code === 'TENANT_SUSPENDED' ? { ok: false } : undefined
      },
    )
  }

  return {
    async prepare(caller) {
      for (const tenantId of TENANTS) {
        const { status, json } = await caller.insist(() => caller.admin('', { name: tenantId, tenantId }))
        if (status !== 201) throw new Error(`tenant ${tenantId} was not created: ${status} ${JSON.stringify(json)}`)
        apiKeys.set(tenantId, json.apiKey as string)
      }
    },
    step(_worker, caller) {
      const tenantId = caller.pick(TENANTS)
      const luck = caller.random()
      if (luck < 0.7) return use(tenantId, caller)
      return change(tenantId, luck < 0.85 ? 'suspend' : 'reactivate', caller)
    },
    faults: () => faults(tenantModel, calls),
    events: () => ({
      'calls of active tenants': calls.filter(({ request, answer }) => request.op === 'use' && answer?.ok).length,
      'calls of suspended tenants': calls.filter(({ answer }) => answer?.ok === false).length,
    }),
  }
}
