import { defineTool, LIST_BYTES, Type } from '@gateway/sdk'
import { planDays } from '../collections.ts'
import { PlanDay, repo } from '../schema.ts'

const ROWS = { default: 200, max: 1_000 }

export const planList = defineTool({
  name: 'plan_list',
  description:
    'List the plans day by day, by repo and number of the day: when each fires, its focus and status. Returns {days, nextCursor?}; pass nextCursor as cursor for the next page.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/plans',
  input: Type.Object(
    {
      repo: Type.Optional(repo),
      limit: Type.Optional(Type.Integer({ minimum: 1, default: ROWS.default, description: `At most ${ROWS.max}; more is cut to it.` })),
      cursor: Type.Optional(Type.String({ maxLength: 2_000, description: 'nextCursor of the page before, with the same repo.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ days: Type.Array(PlanDay), nextCursor: Type.Optional(Type.String()) }, { additionalProperties: false }),
  uses: { planDays },
  async handle({ repo, limit = ROWS.default, cursor }, { planDays }) {
    const page = await planDays.find({
      where: repo === undefined ? {} : { repo },
      sort: { repo: 1, day: 1 },
      limit: Math.min(limit, ROWS.max),
      maxBytes: LIST_BYTES,
      ...(cursor !== undefined && { cursor }),
    })
    return { days: [...page.items], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) }
  },
})
