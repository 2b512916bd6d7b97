import { defineCollection } from '@gateway/sdk'
import { StoredAssertion, StoredCode, StoredIdentity, StoredInvitation, StoredMember, StoredSession } from './schema.ts'

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

export const members = defineCollection('sign-in.members', {
  schema: StoredMember,
  key: 'memberId',
  indexes: [{ keys: { createdAt: 1 } }],
})

export const identities = defineCollection('sign-in.identities', {
  schema: StoredIdentity,
  key: 'id',
  indexes: [{ keys: { memberId: 1, signedInAt: 1 } }, { keys: { tenantId: 1 } }],
})

export const invitations = defineCollection('sign-in.invitations', {
  schema: StoredInvitation,
  key: 'hash',
  indexes: [{ keys: { invitationId: 1 } }, { keys: { createdAt: 1 } }, gone],
})

export const assertions = defineCollection('sign-in.assertions', { schema: StoredAssertion, key: 'hash', indexes: [gone] })
