import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'traces',
  Type.Object(
    {
      maxSpans: Type.Integer({
        default: 100_000,
        minimum: 1,
        maximum: 10_000_000,
        description: 'Spans kept per tenant; the oldest are removed first.',
      }),
      retentionDays: Type.Number({
        default: 14,
        exclusiveMinimum: 0,
        maximum: 3_650,
        description: 'Spans older than this are removed as new ones come.',
      }),
      maxTextCharacters: Type.Integer({ default: 2_048, minimum: 1, maximum: 65_536, description: 'Longer names and errors are cut.' }),
      maxAttributesCharacters: Type.Integer({
        default: 16_384,
        minimum: 64,
        maximum: 1_048_576,
        description: 'Attributes whose JSON is longer are dropped; the span notes it.',
      }),
    },
    closed,
  ),
)
