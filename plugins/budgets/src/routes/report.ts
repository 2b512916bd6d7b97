import { OutsideUsage } from '@gateway/plugin-providers/api'
import { closed, defineRoute, Type } from '@gateway/sdk'
import { addOutside, outsideUses } from '../operations/add-outside.ts'
import { usdOf } from '../rules/money.ts'

export const reportRoute = defineRoute({
  name: 'budgets.report',
  description: 'Report usage of a model that was called outside the gateway; it counts towards the budgets. Returns what was counted.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/budgets/report',
  status: 201,
  input: OutsideUsage,
  output: Type.Object(
    {
      counted: Type.Boolean({ description: 'false: budgets are disabled.' }),
      createdAt: Type.Optional(Type.String()),
      costUsd: Type.Number(),
      priced: Type.Boolean({ description: 'false: the model has no price and costs 0.' }),
    },
    closed,
  ),
  uses: outsideUses,
  async handle(usage, refs, ctx) {
    if (!refs.config.enabled) return { counted: false, costUsd: 0, priced: false }
    const { createdAt, nanos, priced } = await refs.atomically((tx) => addOutside(refs, usage, undefined, ctx, tx))
    return { counted: true, createdAt, costUsd: usdOf(nanos), priced }
  },
})
