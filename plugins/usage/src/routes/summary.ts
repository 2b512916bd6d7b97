import { closed, defineRoute, Type } from '@gateway/sdk'
import { reportUses, summary } from '../operations/report.ts'
import { groupBy, periodFields, UsageSummary } from '../schema.ts'

export const summaryRoute = defineRoute({
  name: 'usage.summary',
  description: 'Sum up the product usage of a period by type, day or repo. Returns the sums.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/usage/summary',
  credential: 'admin',
  input: Type.Object({ ...periodFields, groupBy }, closed),
  output: UsageSummary,
  uses: reportUses,
  handle: (asked, refs, ctx) => summary(refs, asked, ctx),
})
