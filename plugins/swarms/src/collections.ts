import { defineCollection } from '@gateway/sdk'
import { Swarm } from './schema.ts'

/** The first two indexes also serve lists of any status, which name all statuses; the third serves retention. */
export const swarms = defineCollection('swarms', {
  schema: Swarm,
  key: 'swarmId',
  indexes: [{ keys: { status: 1, createdAt: -1 } }, { keys: { repo: 1, status: 1, createdAt: -1 } }, { keys: { status: 1, updatedAt: 1 } }],
})
