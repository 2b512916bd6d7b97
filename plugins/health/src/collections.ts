import { defineCollection } from '@gateway/sdk'
import { stateSchema } from './schema.ts'

/** A single document, owned by the gateway: health is the same for every tenant. */
export const states = defineCollection('health', { schema: stateSchema, key: 'stateId' })
