import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'events',
  Type.Object(
    {
      kept: Type.Integer({
        minimum: 100,
        maximum: 1_000_000,
        default: 10_000,
        description: 'Events kept in the journal of each tenant; the oldest are removed first.',
      }),
      retentionDays: Type.Number({
        default: 7,
        exclusiveMinimum: 0,
        maximum: 365,
        description: 'Events older than this are removed from the journal.',
      }),
      maxDataBytes: Type.Integer({
        minimum: 1_024,
        maximum: 1_048_576,
        default: 65_536,
        description: 'Size limit of the data of an event; beyond it the event is kept without its `data`.',
      }),
    },
    closed,
  ),
)
