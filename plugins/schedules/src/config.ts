import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'schedules',
  Type.Object(
    {
      runLeaseSeconds: Type.Integer({
        default: 3_600,
        minimum: 60,
        maximum: 604_800,
        description: 'A run that has not ended after so long is told to end and counts as lost, and the schedule may run again.',
      }),
      maxRunsAtOnce: Type.Integer({
        default: 100,
        minimum: 1,
        maximum: 10_000,
        description: 'Due schedules of one tenant that one gateway process runs at the same time; more wait for one of them to end.',
      }),
    },
    closed,
  ),
)
