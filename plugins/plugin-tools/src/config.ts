import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'plugin-tools',
  Type.Object(
    {
      enabled: Type.Boolean({
        default: false,
        env: 'PLUGIN_TOOLS_ENABLED',
        description: 'Allows tenants to register their own tools. When off, registered tools are kept, but neither listed nor called.',
      }),
      ports: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
        default: [443, 8_443],
        description: 'Allowed ports of a handler, except for one on this machine that the operator registers.',
      }),
      callsPerTool: Type.Integer({
        default: 8,
        minimum: 1,
        maximum: 1_000,
        description: 'Concurrent calls of one tool; further ones wait, within the timeout of the call.',
      }),
      callsPerTenant: Type.Integer({
        default: 16,
        minimum: 1,
        maximum: 10_000,
        description: 'Concurrent calls of all own tools of one tenant; further ones wait, within the timeout of the call.',
      }),
      maxArgumentBytes: Type.Integer({
        default: 65_536,
        minimum: 1_024,
        maximum: 262_144,
        description: 'Maximum size of the arguments of a call, as JSON.',
      }),
      maxAnswerBytes: Type.Integer({
        default: 524_288,
        minimum: 1_024,
        maximum: 4_194_304,
        description: 'Maximum size of a handler’s response.',
      }),
      failureThreshold: Type.Integer({
        default: 5,
        minimum: 1,
        maximum: 1_000,
        description: 'Consecutive failures after which calls of a tool are refused during a cooldown.',
      }),
      cooldownSeconds: Type.Integer({
        default: 30,
        minimum: 1,
        maximum: 3_600,
        description: 'Length of the cooldown; then one trial call is let through.',
      }),
    },
    closed,
  ),
)
