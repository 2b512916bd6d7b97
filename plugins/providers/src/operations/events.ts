import { defineEvent, Type } from '@gateway/sdk'
import { PROVIDERS } from '../schema.ts'

const change = {
  maintenance: Type.Optional(
    Type.Object({ since: Type.String(), reason: Type.Optional(Type.String()), operator: Type.Optional(Type.String()) }),
  ),
}

/**
 * A provider’s state has changed in this process: other nodes are to know. Heard by this plugin itself, as `system`: the state is of the
 * whole gateway, and the call that changed it may be one of a tenant’s.
 */
export const providerChanged = defineEvent(
  'providers.changed',
  Type.Object({
    provider: Type.Enum(PROVIDERS),
    change: Type.Enum(['opened', 'closed', 'reset', 'entered', 'exited']),
    /** When: ISO 8601. */
    at: Type.String(),
    openUntil: Type.Optional(Type.String()),
    ...change,
  }),
)
