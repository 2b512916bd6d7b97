import { defineCollection } from '@gateway/sdk'
import { StoredCode, StoredSession } from './schema.ts'

const gone = { keys: { expiresAt: 1 }, expireAfterSeconds: 60 } as const

export const sessions = defineCollection('sign-in.sessions', {
  schema: StoredSession,
  key: 'sessionId',
  indexes: [{ keys: { callerId: 1, createdAt: 1 } }, { keys: { createdAt: 1 } }, gone],
})

export const codes = defineCollection('sign-in.codes', {
  schema: StoredCode,
  key: 'hash',
  indexes: [{ keys: { createdAt: 1 } }, gone],
})
