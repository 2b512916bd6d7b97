import { atomically, defineTool, Type } from '@gateway/sdk'
import { slotLeases } from '../collections.ts'
import { shown } from '../pool.ts'
import { isStale } from '../rules/allot.ts'
import { defaults, MAX_SLOTS, SlotLease, slots } from '../schema.ts'

const { slot, ...held } = SlotLease.properties

export const runnerLeaseList = defineTool({
  name: 'runner_lease_list',
  description:
    'Show every runner slot: who holds it, since when, and whether it has run out; without a holder it is free. Returns {slots, active, max}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runner-leases',
  input: Type.Object({ slots }, { additionalProperties: false }),
  output: Type.Object(
    {
      slots: Type.Array(
        Type.Object(
          {
            slot,
            ...Type.Partial(Type.Object(held)).properties,
            stale: Type.Boolean({ description: 'It has run out, and may be reclaimed.' }),
          },
          { additionalProperties: false },
        ),
      ),
      active: Type.Integer({ description: 'Slots that are held and not stale.' }),
      max: Type.Integer({ description: 'Slots there are.' }),
    },
    { additionalProperties: false },
  ),
  uses: { slotLeases, atomically },
  handle: ({ slots: max = defaults.slots }, { slotLeases, atomically }) =>
    // A transaction, for the store’s time.
    atomically(async (tx) => {
      const { items } = await slotLeases.in(tx).find({ limit: MAX_SLOTS })
      const sessions = new Map(items.map((held) => [held.slot, { ...shown(held), stale: isStale(held, tx.now) }]))
      const numbers = new Set([...Array.from({ length: max }, (_, n) => n + 1), ...sessions.keys()])
      const slots = [...numbers].sort((a, b) => a - b).map((slot) => sessions.get(slot) ?? { slot, stale: false })
      return { slots, active: [...sessions.values()].filter(({ stale }) => !stale).length, max }
    }),
})
