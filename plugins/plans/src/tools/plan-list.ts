import { closed, defined, defineTool, LIST_BYTES, nextCursor, pageArguments, rowLimit, Type } from '@gateway/sdk'
import { planDays } from '../collections.ts'
import { PlanDay, repo } from '../schema.ts'

const ROWS = rowLimit(200, 1_000)

export const planList = defineTool({
  name: 'plan_list',
  description:
    'List the plans day by day, by repo and day number: when each fires, its focus and status. Returns {days, nextCursor?}; pass nextCursor as cursor for the next page.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/plans',
  input: Type.Object(
    {
      repo: Type.Optional(repo),
      ...pageArguments(ROWS, 'the same repo'),
    },
    closed,
  ),
  output: Type.Object({ days: Type.Array(PlanDay), nextCursor }, closed),
  uses: { planDays },
  async handle({ repo, limit, cursor }, { planDays }) {
    const page = await planDays.find({
      where: repo === undefined ? {} : { repo },
      sort: { repo: 1, day: 1 },
      limit: ROWS.of(limit),
      maxBytes: LIST_BYTES,
      ...defined({ cursor }),
    })
    return { days: [...page.items], ...defined({ nextCursor: page.nextCursor }) }
  },
})
