import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'swarms',
  Type.Object(
    {
      childCap: Type.Integer({
        default: 5,
        minimum: 1,
        env: 'SWARM_CHILD_CAP',
        description: 'Maximum number of children of a swarm; more than 5 means 5.',
      }),
      retentionDays: Type.Integer({
        default: 180,
        minimum: 1,
        maximum: 3650,
        env: 'SWARM_RETENTION_DAYS',
        description: 'Days for which a swarm that is done or stopped is kept after its last change.',
      }),
      scheduleIgnoreRepos: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        default: [],
        maxItems: 10_000,
        env: 'SCHEDULE_IGNORE_REPOS',
        description: 'Repos that can be planned for only with consent.',
      }),
    },
    closed,
  ),
)
