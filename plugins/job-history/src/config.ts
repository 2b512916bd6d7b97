import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'job-history',
  Type.Object(
    {
      maxJobs: Type.Integer({
        default: 20_000,
        minimum: 1,
        maximum: 10_000_000,
        description: 'Runs kept per tenant; the oldest are removed first.',
      }),
      retentionDays: Type.Number({
        default: 180,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'Runs first recorded before this are removed as new ones come.',
      }),
      maxResultCharacters: Type.Integer({ default: 1_000, minimum: 1, maximum: 65_536, description: 'Longer result lines are cut.' }),
      maxErrorCharacters: Type.Integer({ default: 8_192, minimum: 1, maximum: 65_536, description: 'Longer error excerpts are cut.' }),
    },
    closed,
  ),
)
