import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'state',
  Type.Object(
    {
      handoffRetentionDays: Type.Integer({
        default: 365,
        minimum: 1,
        maximum: 3650,
        env: 'HANDOFF_RETENTION_DAYS',
        description: 'Days a handoff entry is kept. The newest entries of each repo are kept in any case.',
      }),
      handoffsKept: Type.Integer({
        default: 20,
        minimum: 1,
        maximum: 1_000,
        description: 'Newest handoff entries of each repo that are kept however old they are.',
      }),
    },
    closed,
  ),
)
