import { closed, defineTool, Type } from '@gateway/sdk'
import { purge, purgeUses } from '../operations/purge.ts'
import { PurgeResult } from '../schema.ts'

export const dataRetentionPurge = defineTool({
  name: 'data_retention_purge',
  description:
    'Delete what is past its retention now: finished tasks, past plan days, trash, audit day-files and whatever else a family keeps for a time. Skips tenants under legal hold. Returns the counts.',
  capability: 'operator',
  effect: 'destructive',
  idempotent: true,
  input: Type.Object({}, closed),
  output: PurgeResult,
  uses: purgeUses,
  handle: (_args, refs, ctx) => purge(refs, ctx),
})
