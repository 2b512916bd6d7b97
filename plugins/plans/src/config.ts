import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'plans',
  Type.Object(
    {
      fire: Type.Boolean({
        default: true,
        env: 'PLAN_FIRE',
        description: 'Makes an enabled day of a plan a task when it fires; false: the readers of the plan decide.',
      }),
      retentionDays: Type.Integer({
        default: 180,
        minimum: 1,
        maximum: 3650,
        env: 'PLAN_RETENTION_DAYS',
        description: 'Days a day of a plan is kept after it fired or was last changed, once it is done, blocked or disabled.',
      }),
    },
    closed,
  ),
)
