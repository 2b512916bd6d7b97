import { atomically, closed, defineTool, Type, throughout } from '@gateway/sdk'
import { slotLeases } from '../collections.ts'
import { shown } from '../operations/pool.ts'
import { isStale } from '../rules/allot.ts'
import { defaults, MAX_SLOTS, SlotLease, slots, tenantId } from '../schema.ts'

const { slot, ...held } = SlotLease.properties

export const runnerLeaseList = defineTool({
  name: 'runner_lease_list',
  description:
    'Show every runner slot: who holds it, since when, and whether it has expired; without a holder it is free. Returns {slots, active, max}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runner-leases',
  input: Type.Object({ slots }, closed),
  output: Type.Object(
    {
      slots: Type.Array(
        Type.Object(
          {
            tenantId,
            slot,
            ...Type.Partial(Type.Object(held)).properties,
            stale: Type.Boolean({ description: 'It has expired and may be reclaimed.' }),
          },
          closed,
        ),
      ),
      active: Type.Integer({ description: 'Slots that are held and not stale.' }),
      max: Type.Integer({ description: 'Number of slots in each tenant shown.' }),
    },
    closed,
  ),
  uses: { pools: throughout(slotLeases), atomically },
  async handle({ slots: max = defaults.slots }, { pools, atomically }, ctx) {
    const now = await atomically(async (tx) => tx.now)
    const shownPools = await Promise.all(
      (await pools()).map(async ({ tenantId, collection }) => {
        const { items } = await collection.find({ limit: MAX_SLOTS })
        const sessions = new Map(items.map((held) => [held.slot, { ...shown(held), stale: isStale(held, now) }]))
        const isOwn = tenantId === ctx.tenantId
        // For other tenants only the slots in use: an unused pool is not news.
        const numbers = new Set([...Array.from({ length: isOwn ? max : 0 }, (_, n) => n + 1), ...sessions.keys()])
        const named = isOwn ? {} : { tenantId }
        return [...numbers].sort((a, b) => a - b).map((slot) => ({ ...named, ...(sessions.get(slot) ?? { slot, stale: false }) }))
      }),
    )
    const slots = shownPools.flat()
    return { slots, active: slots.filter((slot) => 'holder' in slot && !slot.stale).length, max }
  },
})
