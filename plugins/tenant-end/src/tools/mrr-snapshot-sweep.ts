import { closed, defineTool, Type } from '@gateway/sdk'
import { snapshotUses, takeSnapshots } from '../operations/snapshot.ts'

export const mrrSnapshotSweep = defineTool({
  name: 'mrr_snapshot_sweep',
  description:
    'Take today’s snapshot (UTC) of the monthly recurring revenue of each tenant that is not deleted; a second run writes over it. Returns {day, count, totalUsd}.',
  capability: 'operator',
  effect: 'write',
  idempotent: true,
  input: Type.Object({}, closed),
  output: Type.Object({ day: Type.String(), count: Type.Integer(), totalUsd: Type.Number() }, closed),
  uses: snapshotUses,
  handle: (_args, refs, ctx) => takeSnapshots(refs, ctx),
})
