import { defineCollection } from '@gateway/sdk'
import { stateSchema } from './schema.ts'

/** One document, the gateway’s own: health is the same for every tenant. */
export const states = defineCollection('health', { schema: stateSchema, key: 'stateId' })
