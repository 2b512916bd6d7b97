import { closed, defineRoute, Type } from '@gateway/sdk'
import { breakdown, reportUses } from '../operations/report.ts'
import { periodFields, UsageBreakdown } from '../schema.ts'

export const breakdownRoute = defineRoute({
  name: 'usage.breakdown',
  description: 'Split the product usage of a period by tool, member, repo and day. Returns the parts.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/usage/breakdown',
  credential: 'admin',
  input: Type.Object(periodFields, closed),
  output: UsageBreakdown,
  uses: reportUses,
  handle: (asked, refs, ctx) => breakdown(refs, asked, ctx),
})
