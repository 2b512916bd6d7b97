import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'context',
  Type.Object(
    {
      usdPerMillionTokens: Type.Number({
        default: 3,
        minimum: 0,
        maximum: 10_000,
        description: 'What a million tokens of input cost; user_savings counts with it.',
      }),
      connectBudget: Type.Integer({
        default: 1_800,
        minimum: 0,
        maximum: 8_000,
        description: 'Characters of the bundle that an MCP client of the operator is given when it connects. 0: none.',
      }),
      partMilliseconds: Type.Integer({
        default: 1_000,
        minimum: 10,
        maximum: 60_000,
        description: 'The longest that a part of another family may take; a slower one is left out of the bundle and logged.',
      }),
    },
    closed,
  ),
)
