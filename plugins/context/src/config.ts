import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'context',
  Type.Object(
    {
      usdPerMillionTokens: Type.Number({
        default: 3,
        minimum: 0,
        maximum: 10_000,
        description: 'Price of a million input tokens, used by user_savings.',
      }),
      connectBudget: Type.Integer({
        default: 1_800,
        minimum: 0,
        maximum: 8_000,
        description: 'Length of the bundle that an MCP client of the operator receives when it connects, in characters. 0: no bundle.',
      }),
      partMilliseconds: Type.Integer({
        default: 1_000,
        minimum: 10,
        maximum: 60_000,
        description: 'Timeout of a part of another plugin; a slower part is left out of the bundle and logged.',
      }),
    },
    closed,
  ),
)
