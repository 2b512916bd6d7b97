import { closed, defineCollection, Type } from '@gateway/sdk'
import { ringSchema } from '@gateway/sdk/ring'
import { spanSchema, traceSchema } from './schema.ts'

export const spans = defineCollection('traces.spans', { schema: spanSchema, key: 'spanId', indexes: [{ keys: { taskId: 1, startMs: 1 } }] })

/** Each trace with spans has one record, so that recent traces are read without their spans. */
export const traces = defineCollection('traces', {
  schema: Type.Object({ ...traceSchema.properties, lastSpanId: Type.Optional(Type.String()) }, closed),
  key: 'taskId',
  indexes: [{ keys: { lastRecordedAt: -1 } }],
})

export const rings = defineCollection('traces.rings', { schema: ringSchema, key: 'ring' })
