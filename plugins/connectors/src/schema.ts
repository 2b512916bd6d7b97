import { closed, type Infer, nonBlankText, Type } from '@gateway/sdk'

const CATEGORIES = ['framework', 'docs', 'design', 'browser', 'vcs', 'deploy', 'storage', 'custom'] as const
const TRANSPORTS = ['http', 'stdio'] as const
export type Category = (typeof CATEGORIES)[number]

/** A connector as it is answered. Times are ISO 8601 in UTC. */
export const Connector = Type.Object(
  {
    key: Type.String(),
    label: Type.String(),
    category: Type.Enum(CATEGORIES),
    transport: Type.Enum(TRANSPORTS),
    description: Type.String(),
    url: Type.Optional(Type.String()),
    command: Type.Optional(Type.String()),
    args: Type.Optional(Type.Array(Type.String())),
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
    requiresEnv: Type.Array(Type.String(), { description: 'Environment variables that the client needs.' }),
    enabled: Type.Boolean(),
    source: Type.Enum(['bundled', 'custom']),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  closed,
)
export type Connector = Infer<typeof Connector>

export const written = Type.Object({ connector: Connector }, closed)

const variable = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,199}$',
  rule: { must: 'be the name of an environment variable: 1 to 200 letters, digits and _, the first not a digit' },
})

export const key = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  rule: { must: 'have 1 to 64 letters, digits, - and _, the first a letter or digit' },
  description: 'Its name: letters, digits, - and _.',
})
export const enabled = Type.Boolean({ description: 'Included in the configuration of clients.' })

/** Arguments of `connectors_set` besides the key; absent ones leave the value unchanged. */
export const settable = {
  label: Type.Optional(nonBlankText(200)),
  category: Type.Optional(Type.Enum(CATEGORIES)),
  transport: Type.Optional(Type.Enum(TRANSPORTS)),
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: 'For kind http.' })),
  command: Type.Optional(nonBlankText(1_000, { description: 'For kind stdio.' })),
  args: Type.Optional(
    Type.Array(Type.String({ maxLength: 4_000 }), { maxItems: 100, description: 'For kind stdio: arguments of the command.' }),
  ),
  env: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4_000 }), {
      description:
        'Environment of a stdio connector, headers of an http one. Use a reference such as ${TOKEN} for a secret: readers see the values.',
    }),
  ),
  requiresEnv: Type.Optional(
    Type.Array(variable, { maxItems: 50, description: 'Environment variables that the client needs. Default: those referred to.' }),
  ),
  enabled: Type.Optional(enabled),
}
