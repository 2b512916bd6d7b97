import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'plans',
  Type.Object(
    {
      fire: Type.Boolean({
        default: true,
        env: 'PLAN_FIRE',
        description: 'Creates a task from an enabled day of a plan when it fires; false leaves that to the readers of the plan.',
      }),
      retentionDays: Type.Integer({
        default: 180,
        minimum: 1,
        maximum: 3650,
        env: 'PLAN_RETENTION_DAYS',
        description: 'Days for which a day of a plan is kept after it fired or last changed, once it is done, blocked or disabled.',
      }),
    },
    closed,
  ),
)
