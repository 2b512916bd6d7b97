import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'brain',
  Type.Object(
    {
      lookupEmbed: Type.Boolean({
        default: false,
        env: 'BRAIN_LOOKUP_EMBED',
        description: 'brain_lookup also matches topics by vectors, where they are to be had.',
      }),
      maxObservations: Type.Integer({
        default: 2_000,
        minimum: 1,
        maximum: 1_000_000,
        description: 'Records of brain_observe kept per tenant; the oldest go first.',
      }),
    },
    closed,
  ),
)
