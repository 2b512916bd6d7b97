import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'outgoing',
  Type.Object(
    {
      callsPerTenant: Type.Integer({
        default: 64,
        minimum: 1,
        maximum: 10_000,
        description: 'Calls to the outside of one tenant at the same time; more are refused.',
      }),
      callsPerOrigin: Type.Integer({
        default: 128,
        minimum: 1,
        maximum: 10_000,
        description: 'Calls of one origin at the same time, of all tenants: a slow one takes no more. More are refused.',
      }),
      calls: Type.Integer({
        default: 512,
        minimum: 1,
        maximum: 100_000,
        description: 'Calls to the outside at the same time, of all; more are refused.',
      }),
      connections: Type.Integer({
        default: 64,
        minimum: 1,
        maximum: 1_000,
        description:
          'Connections of one tenant to one origin that it named; further calls wait for one. Of an origin that the operator named there are `callsPerOrigin`.',
      }),
      maxRequestBytes: Type.Integer({
        default: 50_331_648,
        minimum: 1_024,
        maximum: 268_435_456,
        description: 'The most the body of a request may have.',
      }),
      failureThreshold: Type.Integer({
        default: 5,
        minimum: 1,
        maximum: 1_000,
        description: 'Failures in a row after which calls of an origin are refused for a while.',
      }),
      cooldownSeconds: Type.Integer({
        default: 30,
        minimum: 1,
        maximum: 3_600,
        description: 'How long they are, until one is let through again.',
      }),
    },
    closed,
  ),
)
