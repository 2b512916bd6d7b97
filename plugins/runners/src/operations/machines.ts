import { atomically, type Resolved } from '@gateway/sdk'
import { machines } from '../collections.ts'
import type { Machine } from '../schema.ts'

/** A tenant with more has given each fire of its runners a separate name. */
const MAX_MACHINES = 1_000

export const machineUses = { machines, atomically }

/** Returns the machines, the latest heartbeat first, and the store's time. */
export function heardOf({
  machines,
  atomically,
}: Resolved<typeof machineUses>): Promise<{ readonly now: Date; readonly machines: readonly Machine[] }> {
  return atomically(async (tx) => {
    const { items } = await machines.in(tx).find({ sort: { lastHeartbeatAt: -1 }, limit: MAX_MACHINES })
    return { now: tx.now, machines: items }
  })
}
