import { defineCollection } from '@gateway/sdk'
import { Swarm } from './schema.ts'

/** Both indexes also serve lists of any status, which name all statuses. */
export const swarms = defineCollection('swarms', {
  schema: Swarm,
  key: 'swarmId',
  indexes: [{ keys: { status: 1, createdAt: -1 } }, { keys: { repo: 1, status: 1, createdAt: -1 } }],
})
