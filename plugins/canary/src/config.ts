import { closed, defineConfig, Type } from '@gateway/sdk'

const budget = (ms: number, what: string) =>
  Type.Number({
    default: ms,
    exclusiveMinimum: 0,
    maximum: 600_000,
    description: `Milliseconds for the stage ${what}; a slower run raises an alert.`,
  })

export const config = defineConfig(
  'canary',
  Type.Object(
    {
      disabled: Type.Boolean({ default: false, env: 'SYNTHETIC_CANARY_DISABLED', description: 'Switches the synthetic runs off.' }),
      intervalMinutes: Type.Integer({ default: 5, minimum: 1, maximum: 1_440, description: 'Minutes between two runs.' }),
      signupBudgetMs: budget(2_000, 'Sign-up'),
      dispatchBudgetMs: budget(1_000, 'Dispatch of a task'),
      pickupBudgetMs: budget(1_000, 'Claim of the task'),
      shipBudgetMs: budget(2_000, 'Review and done'),
      cooldownMinutes: Type.Number({
        default: 60,
        exclusiveMinimum: 0,
        maximum: 10_080,
        description: 'Minutes within which a failure that recovers and returns raises only one alert.',
      }),
      historyLimit: Type.Integer({ default: 50, minimum: 1, maximum: 500, description: 'Number of runs that are kept.' }),
    },
    closed,
  ),
)
