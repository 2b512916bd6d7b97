import { defineEvent, Type } from '@gateway/sdk'
import { PROVIDERS } from '../schema.ts'

const change = {
  maintenance: Type.Optional(
    Type.Object({
      since: Type.String(),
      reason: Type.Optional(Type.String()),
      operator: Type.Optional(Type.String()),
      operatorPrincipal: Type.Optional(Type.String()),
    }),
  ),
}

/**
 * Emitted when a provider's state has changed in this process, for the other nodes. This plugin itself listens, as `system`:
 * the state belongs to the whole gateway, and the call that changed it may be a tenant's.
 */
export const providerChanged = defineEvent(
  'providers.changed',
  Type.Object({
    provider: Type.Enum(PROVIDERS),
    change: Type.Enum(['opened', 'closed', 'reset', 'entered', 'exited']),
    /** Time: ISO 8601. */
    at: Type.String(),
    openUntil: Type.Optional(Type.String()),
    ...change,
  }),
)

/** Emitted at most once a minute for each model, for the other nodes and the next start. This plugin itself listens, as `system`. */
export const modelObserved = defineEvent(
  'providers.observed',
  Type.Object({
    provider: Type.String(),
    model: Type.String(),
    worked: Type.Number(),
    failed: Type.Number(),
    /** Milliseconds. */
    at: Type.Number(),
  }),
)
