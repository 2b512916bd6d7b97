import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'swarms',
  Type.Object(
    {
      childCap: Type.Integer({
        default: 5,
        minimum: 1,
        env: 'SWARM_CHILD_CAP',
        description: 'Children one swarm may have; more than 5 means 5.',
      }),
      scheduleIgnoreRepos: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        default: [],
        maxItems: 10_000,
        env: 'SCHEDULE_IGNORE_REPOS',
        description: 'Repos that nothing may be planned for without consent.',
      }),
    },
    closed,
  ),
)
