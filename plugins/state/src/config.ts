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
        description: 'Days for which a handoff entry is kept. The newest entries of each repo are always kept.',
      }),
      handoffsKept: Type.Integer({
        default: 20,
        minimum: 1,
        maximum: 1_000,
        description: 'Number of newest handoff entries of each repo that are kept regardless of age.',
      }),
    },
    closed,
  ),
)
