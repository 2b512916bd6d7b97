import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'usage',
  Type.Object(
    {
      metering: Type.Boolean({ default: true, description: 'Off: nothing is counted, and reports are empty.' }),
      flushSeconds: Type.Number({
        default: 5,
        minimum: 0.1,
        maximum: 300,
        description: 'How long counts stay in memory before they are stored. A kill loses what was counted in that time.',
      }),
      maxMembers: Type.Integer({
        default: 500,
        minimum: 1,
        maximum: 10_000,
        description: 'Members told apart in a tenant and day; further ones count as `(other)`.',
      }),
      maxRepos: Type.Integer({
        default: 500,
        minimum: 1,
        maximum: 10_000,
        description: 'Repos told apart in a tenant and day; further ones count as `(other)`.',
      }),
      keepHoursDays: Type.Integer({
        default: 35,
        minimum: 2,
        maximum: 400,
        description: 'How many days hours are kept; before that, periods are of whole days.',
      }),
      keepDays: Type.Integer({ default: 400, minimum: 62, maximum: 4_000, description: 'How many days days are kept.' }),
    },
    closed,
  ),
)
