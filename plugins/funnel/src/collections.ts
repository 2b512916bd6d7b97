import { defineCollection } from '@gateway/sdk'
import { journeySchema } from './schema.ts'

export const journeys = defineCollection('funnel', { schema: journeySchema, key: 'journeyId' })
