import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'memory',
  Type.Object(
    {
      recencyBoost: Type.Number({
        default: 0.03,
        minimum: 0,
        maximum: 1,
        description: 'Score bonus of a chunk written now over an old one, at equal words: 0.03 is three percent. 0 disables it.',
      }),
      recencyHalfLifeDays: Type.Number({
        default: 30,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'Half-life of that bonus.',
      }),
      repoBoost: Type.Number({
        default: 0.05,
        minimum: 0,
        maximum: 1,
        description: 'Score bonus of a chunk of the caller’s own repo. 0 disables it.',
      }),
      vectorsIdleMinutes: Type.Number({
        default: 10,
        exclusiveMinimum: 0,
        maximum: 10_000,
        description: 'A tenant’s vectors are evicted from memory when no search has used them for this long.',
      }),
      vectorsMaxMegabytes: Type.Integer({
        default: 512,
        minimum: 1,
        maximum: 3_500,
        description: 'Memory limit for the vectors of all tenants together; the least recently searched are evicted first.',
      }),
    },
    closed,
  ),
)
