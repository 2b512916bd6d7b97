import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'trash',
  Type.Object(
    {
      retentionDays: Type.Integer({
        default: 30,
        minimum: 1,
        maximum: 3650,
        env: 'TRASH_RETENTION_DAYS',
        description: 'Days for which a removed record can be restored. A new value applies to later removals.',
      }),
    },
    closed,
  ),
)
