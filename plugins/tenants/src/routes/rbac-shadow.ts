import { closed, defineRoute, shadowEntrySchema, shadowReport, Type } from '@gateway/sdk'

export const rbacShadow = defineRoute({
  name: 'rbac.shadow',
  description:
    'List the calls that would have been refused since the start, most frequent first: the effect of RBAC_ENFORCE=on. For the operator.',
  capability: 'operator',
  effect: 'read',
  rest: 'GET /api/rbac/shadow',
  input: Type.Object({}, closed),
  output: Type.Object(
    { enforced: Type.Boolean(), count: Type.Integer(), dropped: Type.Integer(), entries: Type.Array(shadowEntrySchema) },
    closed,
  ),
  uses: { report: shadowReport },
  async handle(_, { report }) {
    const entries = [...report.entries()]
    return { enforced: report.enforced, count: entries.length, dropped: report.dropped, entries }
  },
})
