import { defineCollection } from '@gateway/sdk'
import { Swarm } from './schema.ts'

/** Both indexes serve lists of any status as well, which name all of them. */
export const swarms = defineCollection('swarms', {
  schema: Swarm,
  key: 'swarmId',
  indexes: [{ keys: { status: 1, createdAt: -1 } }, { keys: { repo: 1, status: 1, createdAt: -1 } }],
})
