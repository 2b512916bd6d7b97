import { closed, defined, defineRoute, startOfMonth, Type } from '@gateway/sdk'
import { sums } from '../collections.ts'
import { planOf, planUses } from '../operations/plan-of.ts'
import { burnOf } from '../rules/burn.ts'
import { tightest } from '../rules/caps.ts'

export const burnRoute = defineRoute({
  name: 'budgets.burn',
  description:
    'Show what was spent this month. Returns each day, and the forecast of the month’s end if it goes on as in the last seven days.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/budgets/burn',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      days: Type.Array(
        Type.Object(
          {
            day: Type.String(),
            spentUsd: Type.Optional(Type.Number({ description: 'In the month until then; absent in the future.' })),
            forecastUsd: Type.Optional(Type.Number({ description: 'From today on.' })),
            capUsd: Type.Optional(
              Type.Number({ description: 'The tightest of the month on all spending: of the tenant, its plan and the gateway.' }),
            ),
          },
          closed,
        ),
      ),
      forecastUsd: Type.Number({ description: 'At the end of the month.' }),
      capUsd: Type.Optional(Type.Number()),
    },
    closed,
  ),
  uses: { sums, ...planUses },
  async handle(_input, { sums, ...refs }, ctx) {
    const now = ctx.now()
    const from = startOfMonth(now).toISOString().slice(0, 10)
    const groups = await sums.group({ where: { dimension: 'total', day: { gte: from } }, by: ['day'], sum: ['nanos'] })
    const { days, forecastUsd } = burnOf(new Map(groups.map(({ key, sums: { nanos = 0 } }) => [String(key[0]), nanos])), now)
    const { tenantId } = ctx
    const cap = defined({ capUsd: tightest(refs.config, now, { tenantId, plan: await planOf(refs, tenantId) }).monthly?.capUsd })
    return { days: days.map((day) => ({ ...day, ...cap })), forecastUsd, ...cap }
  },
})
