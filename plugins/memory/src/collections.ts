import { defineCollection } from '@gateway/sdk'
import {
  dueOriginSchema,
  forgottenSchema,
  originSchema,
  preparationSchema,
  recordSchema,
  stampSchema,
  syncStateSchema,
  vectorSchema,
} from './schema.ts'

/**
 * Chunks, and documents of other corpora. The id comes from the hash of the content, so the store keeps one of each.
 * A record that waits for its vectors carries that in a field, so that the queue is written with the chunk.
 */
export const records = defineCollection('memory', {
  schema: recordSchema,
  key: 'id',
  text: { prepared: { labels: 0, words: 1, around: 0.5 } },
  indexes: [
    { keys: { corpus: 1, repo: 1, source: 1, createdAt: -1 } },
    { keys: { corpus: 1, source: 1, createdAt: -1 } },
    { keys: { thread: 1, storedAs: -1 }, present: 'thread' },
    { keys: { sessionId: 1, storedAs: -1 }, present: 'sessionId' },
    { keys: { pending: 1 }, present: 'pending', acrossTenants: true },
    { keys: { unreadableBy: 1 }, present: 'unreadableBy' },
    { keys: { strength: -1 }, present: 'strength' },
    { keys: { supersededBy: 1 }, present: 'supersededBy' },
  ],
})

/** Separate, so that loading the vectors reads no texts. */
export const vectors = defineCollection('memory.vectors', {
  schema: vectorSchema,
  key: 'id',
  indexes: [{ keys: { at: 1 } }, { keys: { corpus: 1 } }, { keys: { model: 1 } }],
})

export const origins = defineCollection('memory.origins', {
  schema: originSchema,
  key: 'id',
  indexes: [{ keys: { origin: 1 } }, { keys: { chunkId: 1 } }],
})

/** A record per tenant: set when people were told that its vectors are out of step. */
export const syncStates = defineCollection('memory.sync', {
  schema: syncStateSchema,
  key: 'stateId',
  indexes: [{ keys: { toldAt: 1 }, present: 'toldAt', acrossTenants: true }],
})

/** Progress of work that is done once per tenant after an upgrade, see operations/prepare-words.ts and operations/catch-up.ts. */
export const preparations = defineCollection('memory.preparation', { schema: preparationSchema, key: 'stateId' })

export const dueOrigins = defineCollection('memory.due-origins', {
  schema: dueOriginSchema,
  key: 'origin',
  indexes: [{ keys: { at: 1 }, acrossTenants: true }],
})

export const stamps = defineCollection('memory.stamps', { schema: stampSchema, key: 'origin' })

export const forgotten = defineCollection('memory.forgotten', { schema: forgottenSchema, key: 'hash' })
