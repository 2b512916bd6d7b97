import { closed, defineCollection, Type } from '@gateway/sdk'
import { PROVIDERS } from './schema.ts'

const FORGOTTEN_AFTER_SECONDS = 604_800

/** Outcomes of calls by provider and model, of all nodes: gateway-wide. A document that nobody changes for a week weighs nothing. */
export const experiences = defineCollection('providers.experience', {
  schema: Type.Object(
    {
      id: Type.String(),
      provider: Type.String(),
      model: Type.String(),
      worked: Type.Number({ minimum: 0 }),
      failed: Type.Number({ minimum: 0 }),
      /** Time of the weights: milliseconds, and ISO 8601. */
      at: Type.Number(),
      changedAt: Type.String(),
    },
    closed,
  ),
  key: 'id',
  indexes: [{ keys: { changedAt: 1 }, expireAfterSeconds: FORGOTTEN_AFTER_SECONDS }],
})

/** State of a provider for all nodes that share the store: gateway-wide, one document for each provider that ever cooled down. */
export const states = defineCollection('providers.states', {
  schema: Type.Object(
    {
      provider: Type.Enum(PROVIDERS),
      /** Present while it is in maintenance. Times are ISO 8601. */
      maintenanceSince: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
      operator: Type.Optional(Type.String()),
      operatorPrincipal: Type.Optional(Type.String()),
      /** Present while a node has found it failing. */
      openUntil: Type.Optional(Type.String()),
      /** Time of the last manual reset. */
      resetAt: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'provider',
})
