import { closed, defineCollection, Type } from '@gateway/sdk'
import { PROVIDERS } from './schema.ts'

/** How a provider stands, for all nodes that share the store: gateway-wide, one document for each provider that ever rested. */
export const states = defineCollection('providers.states', {
  schema: Type.Object(
    {
      provider: Type.Enum(PROVIDERS),
      /** While it is in maintenance. Times are ISO 8601. */
      maintenanceSince: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
      operator: Type.Optional(Type.String()),
      /** While a node has found it failing. */
      openUntil: Type.Optional(Type.String()),
      /** When it was last reset by hand. */
      resetAt: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'provider',
})
