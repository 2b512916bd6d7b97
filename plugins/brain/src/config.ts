import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'brain',
  Type.Object(
    {
      lookupEmbed: Type.Boolean({
        default: false,
        env: 'BRAIN_LOOKUP_EMBED',
        description: 'brain_lookup also matches topics by meaning, where embeddings are available.',
      }),
      maxObservations: Type.Integer({
        default: 2_000,
        minimum: 1,
        maximum: 1_000_000,
        description: 'Observations of brain_observe kept per tenant; the oldest are removed first.',
      }),
    },
    closed,
  ),
)
