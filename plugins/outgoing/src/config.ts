import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'outgoing',
  Type.Object(
    {
      callsPerTenant: Type.Integer({
        default: 64,
        minimum: 1,
        maximum: 10_000,
        description: 'Concurrent outgoing calls of one tenant; further ones are refused.',
      }),
      callsPerOrigin: Type.Integer({
        default: 128,
        minimum: 1,
        maximum: 10_000,
        description:
          'Concurrent calls to one origin, all tenants together, so that a slow origin cannot take all capacity; further ones are refused.',
      }),
      calls: Type.Integer({
        default: 512,
        minimum: 1,
        maximum: 100_000,
        description: 'Concurrent outgoing calls of all tenants; further ones are refused.',
      }),
      connections: Type.Integer({
        default: 64,
        minimum: 1,
        maximum: 1_000,
        description:
          'Connections of one tenant to one origin that the tenant chose; further calls wait. Origins that the operator chose have `callsPerOrigin`.',
      }),
      maxRequestBytes: Type.Integer({
        default: 50_331_648,
        minimum: 1_024,
        maximum: 268_435_456,
        description: 'Maximum size of a request body.',
      }),
      failureThreshold: Type.Integer({
        default: 5,
        minimum: 1,
        maximum: 1_000,
        description: 'Consecutive failures after which calls to an origin are refused during a cooldown.',
      }),
      cooldownSeconds: Type.Integer({
        default: 30,
        minimum: 1,
        maximum: 3_600,
        description: 'Length of the cooldown; then one trial call is let through.',
      }),
    },
    closed,
  ),
)
