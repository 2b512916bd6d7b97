import { defineCollection } from '@gateway/sdk'
import { StoredMessage, StoredSession } from './schema.ts'

export const sessions = defineCollection('sessions', {
  schema: StoredSession,
  key: 'sessionId',
  indexes: [
    { keys: { updatedAt: -1 } },
    { keys: { agentName: 1, updatedAt: -1 } },
    { keys: { status: 1 } },
    { keys: { host: 1, updatedAt: -1 } },
    { keys: { repo: 1, status: 1, updatedAt: -1 }, present: 'repo' },
    { keys: { repo: 1, status: 1, machine: 1, updatedAt: -1 }, present: 'machine' },
    { keys: { taskId: 1, updatedAt: -1 }, present: 'taskId' },
  ],
})

export const messages = defineCollection('sessions.messages', {
  schema: StoredMessage,
  key: 'place',
  indexes: [{ keys: { sessionId: 1, seq: -1 } }],
})
