import { closed, defineTool, Type } from '@gateway/sdk'
import { sweep, sweepUses } from '../operations/sweep.ts'
import { Swept } from '../schema.ts'

export const cancellationPurgeSweep = defineTool({
  name: 'cancellation_purge_sweep',
  description:
    'Purge the data of cancelled tenants past their grace time (CANCELLATION_PURGE_GRACE_DAYS), the audit trail included. Skips tenants under legal hold. Returns which.',
  capability: 'operator',
  effect: 'destructive',
  idempotent: true,
  input: Type.Object({}, closed),
  output: Swept,
  uses: sweepUses,
  handle: (_args, refs, ctx) => sweep(refs, 'cancellation', ctx),
})
