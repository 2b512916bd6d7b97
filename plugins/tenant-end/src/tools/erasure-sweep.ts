import { closed, defineTool, Type } from '@gateway/sdk'
import { sweep, sweepUses } from '../operations/sweep.ts'
import { Swept } from '../schema.ts'

export const erasureSweep = defineTool({
  name: 'erasure_sweep',
  description:
    'Erase the data of tenants whose erasure request is past its grace time (ERASURE_GRACE_DAYS): everything goes, a tombstone stays, and the proof is in the operator’s audit trail. Skips tenants under legal hold. Returns which.',
  capability: 'operator',
  effect: 'destructive',
  idempotent: true,
  input: Type.Object({}, closed),
  output: Swept,
  uses: sweepUses,
  handle: (_args, refs, ctx) => sweep(refs, 'erasure', ctx),
})
