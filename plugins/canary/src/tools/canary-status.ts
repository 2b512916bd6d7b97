import { closed, defineTool, gatewayWide, Type } from '@gateway/sdk'
import { states } from '../collections.ts'
import { config } from '../config.ts'
import { STATE } from '../operations/keep.ts'
import { CANARY_TENANT } from '../operations/stages.ts'
import { runSchema, type STAGES } from '../schema.ts'

const budgets = Type.Object(
  { signup: Type.Number(), dispatch: Type.Number(), pickup: Type.Number(), ship: Type.Number() } satisfies Record<
    (typeof STAGES)[number],
    unknown
  >,
  { ...closed, description: 'Milliseconds a stage may take.' },
)

export const canaryStatus = defineTool({
  name: 'canary_status',
  description:
    'Show the synthetic canary, which signs up, has a task dispatched, claims and ships it: its settings, its last run stage by stage, and earlier ones. Returns the runs, newest first.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      config: Type.Object(
        {
          enabled: Type.Boolean(),
          intervalMinutes: Type.Integer(),
          cooldownMinutes: Type.Number(),
          historyLimit: Type.Integer(),
          tenantId: Type.String({ description: 'The synthetic tenant.' }),
          budgetsMs: budgets,
        },
        closed,
      ),
      latest: Type.Union([runSchema, Type.Null()], { description: 'null: no run yet.' }),
      history: Type.Array(runSchema, { description: 'Includes the latest.' }),
    },
    closed,
  ),
  uses: { states: gatewayWide(states), config },
  async handle(_args, { states, config }) {
    const runs = (await states.get(STATE))?.runs ?? []
    return {
      config: {
        enabled: !config.disabled,
        intervalMinutes: config.intervalMinutes,
        cooldownMinutes: config.cooldownMinutes,
        historyLimit: config.historyLimit,
        tenantId: CANARY_TENANT,
        budgetsMs: {
          signup: config.signupBudgetMs,
          dispatch: config.dispatchBudgetMs,
          pickup: config.pickupBudgetMs,
          ship: config.shipBudgetMs,
        },
      },
      latest: runs[0] ?? null,
      history: [...runs],
    }
  },
})
