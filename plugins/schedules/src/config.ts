import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'schedules',
  Type.Object(
    {
      runLeaseSeconds: Type.Integer({
        default: 3_600,
        minimum: 60,
        maximum: 604_800,
        description:
          'A run that takes longer is cancelled and counts as lost, and the schedule may run again. That of a killed process counts as lost sooner.',
      }),
      maxRunsAtOnce: Type.Integer({
        default: 100,
        minimum: 1,
        maximum: 10_000,
        description: 'Due schedules of one tenant that one gateway process runs concurrently; further ones wait.',
      }),
    },
    closed,
  ),
)
