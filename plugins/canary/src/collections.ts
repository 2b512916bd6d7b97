import { defineCollection } from '@gateway/sdk'
import { stateSchema } from './schema.ts'

/** One document, the gateway’s own: the canary is of no tenant. It has every run that is kept, which are few and small. */
export const states = defineCollection('canary', { schema: stateSchema, key: 'stateId' })
