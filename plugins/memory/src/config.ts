import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'memory',
  Type.Object(
    {
      recencyBoost: Type.Number({
        default: 0.03,
        minimum: 0,
        maximum: 1,
        description:
          'How much more a chunk of this moment counts than an old one, at equal words: 0.03 is three in a hundred. 0 switches it off.',
      }),
      recencyHalfLifeDays: Type.Number({
        default: 30,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'After this long half of that is left.',
      }),
      repoBoost: Type.Number({
        default: 0.05,
        minimum: 0,
        maximum: 1,
        description: 'How much more a chunk of the caller’s own repo counts. 0 switches it off.',
      }),
      vectorsIdleMinutes: Type.Number({
        default: 10,
        exclusiveMinimum: 0,
        maximum: 10_000,
        description: 'A tenant’s vectors leave the memory of the process when no search has used them for this long.',
      }),
      vectorsMaxMegabytes: Type.Integer({
        default: 512,
        minimum: 1,
        maximum: 3_500,
        description: 'Memory for the vectors of all tenants together; the one that was searched longest ago goes first.',
      }),
    },
    closed,
  ),
)
