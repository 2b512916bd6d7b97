import { defineCollection } from '@gateway/sdk'
import { ringSchema } from '@gateway/sdk/ring'
import { artifactSchema, contentSchema } from './schema.ts'

export const artifacts = defineCollection('artifacts', { schema: artifactSchema, key: 'artifactId', indexes: [{ keys: { taskId: 1 } }] })

/** Stored separately, so that a list reads no content. */
export const contents = defineCollection('artifacts.contents', { schema: contentSchema, key: 'artifactId' })

export const rings = defineCollection('artifacts.rings', { schema: ringSchema, key: 'ring' })
