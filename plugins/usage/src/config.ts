import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'usage',
  Type.Object(
    {
      metering: Type.Boolean({ default: true, description: 'Off: usage is not counted, and reports are empty.' }),
      flushSeconds: Type.Number({
        default: 5,
        minimum: 0.1,
        maximum: 300,
        description: 'Seconds for which counts stay in memory before they are stored. A kill of the process loses the counts of that time.',
      }),
      maxMembers: Type.Integer({
        default: 500,
        minimum: 1,
        maximum: 10_000,
        description: 'Members counted separately per tenant and day; further ones count as `(other)`.',
      }),
      maxRepos: Type.Integer({
        default: 500,
        minimum: 1,
        maximum: 10_000,
        description: 'Repos counted separately per tenant and day; further ones count as `(other)`.',
      }),
      keepHoursDays: Type.Integer({
        default: 35,
        minimum: 2,
        maximum: 400,
        description: 'Days for which hourly counts are kept; older periods consist of whole days.',
      }),
      keepDays: Type.Integer({ default: 400, minimum: 62, maximum: 4_000, description: 'Days for which daily counts are kept.' }),
    },
    closed,
  ),
)
