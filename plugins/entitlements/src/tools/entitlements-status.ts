import { closed, defineTool, Type } from '@gateway/sdk'
import { snapshot, snapshotUses } from '../operations/snapshot.ts'
import { Entitlements } from '../schema.ts'

export const entitlementsStatus = defineTool({
  name: 'entitlements_status',
  description: "Show what the tenant's plan allows: features, limits on repos, seats and minutes, and their use. Returns the snapshot.",
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/entitlements',
  input: Type.Object({}, closed),
  output: Entitlements,
  uses: snapshotUses,
  handle: (_, refs, ctx) => snapshot(refs, ctx),
})
