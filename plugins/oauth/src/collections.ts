import { defineCollection } from '@gateway/sdk'
import { StoredClient, StoredCode, StoredDevice, StoredGrant } from './schema.ts'

const gone = { keys: { expiresAt: 1 }, expireAfterSeconds: 60 } as const
/** A code outlives its minute, so that a second use is recognised. */
const replayed = { keys: { expiresAt: 1 }, expireAfterSeconds: 86_400 } as const

export const codes = defineCollection('oauth.codes', {
  schema: StoredCode,
  key: 'hash',
  indexes: [{ keys: { createdAt: 1 } }, replayed],
})

export const grants = defineCollection('oauth.grants', {
  schema: StoredGrant,
  key: 'grantId',
  indexes: [{ keys: { callerId: 1, createdAt: 1 } }, { keys: { createdAt: 1 } }, gone],
})

export const clients = defineCollection('oauth.clients', {
  schema: StoredClient,
  key: 'clientId',
  indexes: [{ keys: { createdAt: 1 } }, gone],
})

export const devices = defineCollection('oauth.devices', {
  schema: StoredDevice,
  key: 'hash',
  indexes: [{ keys: { userCode: 1 } }, { keys: { createdAt: 1 } }, gone],
})
