import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'plugin-tools',
  Type.Object(
    {
      enabled: Type.Boolean({
        default: false,
        env: 'PLUGIN_TOOLS_ENABLED',
        description:
          'Whether tenants may register tools of their own. Off, those registered before are kept, and neither listed nor called.',
      }),
      ports: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
        default: [443, 8_443],
        description: 'The ports a handler may have, but for one on this machine that the operator registers.',
      }),
      callsPerTool: Type.Integer({
        default: 8,
        minimum: 1,
        maximum: 1_000,
        description: 'Calls of one tool at the same time; more wait, within the time a call has.',
      }),
      callsPerTenant: Type.Integer({
        default: 16,
        minimum: 1,
        maximum: 10_000,
        description: 'Calls of all own tools of one tenant at the same time; more wait, within the time a call has.',
      }),
      maxArgumentBytes: Type.Integer({
        default: 65_536,
        minimum: 1_024,
        maximum: 262_144,
        description: 'The most the arguments of a call may be, as JSON.',
      }),
      maxAnswerBytes: Type.Integer({
        default: 524_288,
        minimum: 1_024,
        maximum: 4_194_304,
        description: 'The most a handler may answer.',
      }),
      failureThreshold: Type.Integer({
        default: 5,
        minimum: 1,
        maximum: 1_000,
        description: 'Failures in a row after which calls of a tool are refused for a while.',
      }),
      cooldownSeconds: Type.Integer({
        default: 30,
        minimum: 1,
        maximum: 3_600,
        description: 'How long they are, until one is let through again.',
      }),
    },
    closed,
  ),
)
