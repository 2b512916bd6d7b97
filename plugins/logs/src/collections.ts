import { defineCollection } from '@gateway/sdk'
import { ringSchema } from '@gateway/sdk/ring'
import { logSchema } from './schema.ts'

/**
 * Service and level have few values, so a query without one of them names all its values: two indexes then serve every choice
 * of filters in the order of the answer, and a line is written to only these.
 */
export const logs = defineCollection('logs', {
  schema: logSchema,
  key: 'logId',
  indexes: [{ keys: { service: 1, level: 1, createdAt: -1 } }, { keys: { correlationId: 1, service: 1, level: 1, createdAt: -1 } }],
})

export const rings = defineCollection('logs.rings', { schema: ringSchema, key: 'ring' })
