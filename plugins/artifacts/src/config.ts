import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'artifacts',
  Type.Object(
    {
      maxContentBytes: Type.Integer({
        default: 524_288,
        minimum: 1,
        maximum: 8_388_608,
        description: 'Longer content is cut at this many bytes of UTF-8, or where it no longer fits into an answer as JSON.',
      }),
      maxArtifacts: Type.Integer({
        default: 5_000,
        minimum: 1,
        maximum: 1_000_000,
        description: 'Artifacts kept per tenant; the oldest are removed first.',
      }),
      retentionDays: Type.Number({
        default: 30,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'Artifacts older than this are removed as new ones come.',
      }),
    },
    closed,
  ),
)
