import { defineCollection } from '@gateway/sdk'
import { stateSchema } from './schema.ts'

/** A single document, owned by the gateway: the canary belongs to no tenant. It holds every kept run, which are few and small. */
export const states = defineCollection('canary', { schema: stateSchema, key: 'stateId' })
