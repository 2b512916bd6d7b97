import { closed, defineCollection, Type } from '@gateway/sdk'
import { PROVIDERS } from './schema.ts'

/** State of a provider for all nodes that share the store: gateway-wide, one document for each provider that ever cooled down. */
export const states = defineCollection('providers.states', {
  schema: Type.Object(
    {
      provider: Type.Enum(PROVIDERS),
      /** Present while it is in maintenance. Times are ISO 8601. */
      maintenanceSince: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
      operator: Type.Optional(Type.String()),
      /** Present while a node has found it failing. */
      openUntil: Type.Optional(Type.String()),
      /** Time of the last manual reset. */
      resetAt: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'provider',
})
