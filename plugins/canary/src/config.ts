import { closed, defineConfig, Type } from '@gateway/sdk'

const budget = (ms: number, what: string) =>
  Type.Number({ default: ms, exclusiveMinimum: 0, maximum: 600_000, description: `${what}: slower than so many milliseconds is told.` })

export const config = defineConfig(
  'canary',
  Type.Object(
    {
      disabled: Type.Boolean({ default: false, env: 'SYNTHETIC_CANARY_DISABLED', description: 'No synthetic run is made.' }),
      intervalMinutes: Type.Integer({ default: 5, minimum: 1, maximum: 1_440, description: 'From one run to the next.' }),
      signupBudgetMs: budget(2_000, 'Sign-up'),
      dispatchBudgetMs: budget(1_000, 'Dispatch of a task'),
      pickupBudgetMs: budget(1_000, 'Claim of the task'),
      shipBudgetMs: budget(2_000, 'Review and done'),
      cooldownMinutes: Type.Number({
        default: 60,
        exclusiveMinimum: 0,
        maximum: 10_080,
        description: 'What is slow or fails, recovers and fails again within so long is told of once.',
      }),
      historyLimit: Type.Integer({ default: 50, minimum: 1, maximum: 500, description: 'Runs that are kept.' }),
    },
    closed,
  ),
)
