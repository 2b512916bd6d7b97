/** A key in a table, without the key itself. */
export const keyColumns = {
  Label: '/label',
  Id: { value: '/keyId', format: 'code' },
  Role: { value: '/role', format: 'badge' },
  Environment: { value: '/environment', format: 'badge' },
  Made: { value: '/createdAt', format: 'time' },
  'Last used': { value: '/lastUsedAt', format: 'time' },
  Ends: { value: '/expiresAt', format: 'time' },
} as const
