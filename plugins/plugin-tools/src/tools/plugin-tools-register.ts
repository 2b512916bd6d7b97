import { entitlements, NotEntitled } from '@gateway/plugin-entitlements/api'
import { type Outgoing, outgoing } from '@gateway/plugin-outgoing/api'
import {
  atomically,
  BadRequest,
  type CallContext,
  Conflict,
  callerName,
  checkUnchanged,
  closed,
  defined,
  defineTool,
  gatewayInfo,
  ifUpdatedAt,
  listChanged,
  optional,
  type Seal,
  SwitchedOff,
  Type,
} from '@gateway/sdk'
import { OF_TOOLS, pluginTools, revisions, type StoredTool } from '../collections.ts'
import { config } from '../config.ts'
import { newSecret, openSecret, sealSecret, secretSeal } from '../operations/secret.ts'
import { definitionHash, shown } from '../rules/definition.ts'
import { prefixWarning } from '../rules/prefixed-name.ts'
import { schemaFault, withoutDraft } from '../rules/tool-schema.ts'
import { MAX_TOOLS, PluginTool, TIMEOUT_MS } from '../schema.ts'

export const pluginToolsRegister = defineTool({
  name: 'plugin_tools_register',
  description:
    'Register a tool of this tenant’s own, or change the one of that name: the gateway then lists it and POSTs each call to its HTTPS handler. Returns {tool, created} and, for a new tool or handler, the secret its calls are signed with, which is shown only once.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/plugin-tools',
  subject: ['name'],
  input: Type.Object(
    {
      name: Type.String({
        pattern: '^[a-z][a-z0-9_]{2,63}$',
        description: 'snake_case, 3 to 64 characters, not the name of a gateway tool.',
      }),
      description: Type.Optional(Type.String({ maxLength: 1_000, default: '', description: 'Helps agents choose the tool.' })),
      schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the arguments, of type object; no $ref.' }),
      handlerUrl: Type.String({ minLength: 1, maxLength: 2_000, description: 'https://host/path, on the open internet.' }),
      timeoutMs: Type.Optional(
        Type.Number({
          default: TIMEOUT_MS.default,
          description: `Timeout of the handler, clamped to ${TIMEOUT_MS.min} to ${TIMEOUT_MS.max}.`,
        }),
      ),
      enabled: Type.Optional(Type.Boolean({ default: true, description: 'false: keep it, but neither list nor call it.' })),
      ifUpdatedAt,
    },
    closed,
  ),
  output: Type.Object(
    {
      tool: PluginTool,
      created: Type.Boolean({ description: 'false: an existing tool of that name was changed.' }),
      secret: Type.Optional(Type.String()),
      warning: Type.Optional(Type.String({ description: 'Reason why clients may not show the tool.' })),
    },
    closed,
  ),
  errors: [NotEntitled],
  uses: {
    pluginTools,
    revisions,
    config,
    gateway: gatewayInfo,
    seal: secretSeal,
    atomically,
    listChanged,
    outgoing,
    plan: optional(entitlements),
  },
  async handle(
    { ifUpdatedAt: expected, ...given },
    { pluginTools, revisions, config, gateway, seal, atomically, listChanged, outgoing, plan },
    ctx,
  ) {
    if (!config.enabled) {
      throw SwitchedOff({
        setting: 'PLUGIN_TOOLS_ENABLED',
        message: 'Own tools are disabled here; PLUGIN_TOOLS_ENABLED=1 enables them.',
      })
    }
    await plan?.require('pluginTools')
    if (gateway.tools().some(({ name }) => name === given.name)) {
      throw BadRequest({ field: 'name', message: `\`name\` must not be that of a gateway tool; got ${given.name}.` })
    }
    const drafted = draft(given, config, outgoing, ctx)
    const revision = ctx.newId('rev-')
    const { stored, before, newlyMade } = await atomically(async (tx) => {
      const before = await pluginTools.in(tx).get(drafted.name)
      checkUnchanged(before, expected)
      if (!before && (await pluginTools.in(tx).count({}, { max: MAX_TOOLS })) >= MAX_TOOLS) {
        throw Conflict({ field: 'name', message: `This tenant has ${MAX_TOOLS} own tools, the maximum; remove one first.` })
      }
      const newlyMade = keepsSecret(drafted, before, seal) ? undefined : newSecret()
      const secret = newlyMade === undefined ? (before as StoredTool).secret : sealSecret(seal, drafted, newlyMade)
      const stored = { ...drafted, ...(before && { createdAt: before.createdAt }), secret }
      const { name: _name, ...set } = stored
      await pluginTools.in(tx).upsert(stored, { set })
      await revisions.in(tx).upsert({ of: OF_TOOLS, revision }, { set: { revision } })
      return { stored, before, newlyMade }
    })
    ctx.audit('plugintool.change', { action: 'register', name: stored.name, hash: stored.hash, ...(before && { hashBefore: before.hash }) })
    listChanged.emit({ list: 'tools' })
    return { tool: shown(stored), created: before === undefined, ...defined({ secret: newlyMade, warning: prefixWarning(stored.name) }) }
  },
})

interface Given {
  readonly name: string
  readonly description?: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly handlerUrl: string
  readonly timeoutMs?: number
  readonly enabled?: boolean
}

interface Limits {
  readonly ports: readonly number[]
  readonly maxArgumentBytes: number
}

function draft(
  given: Given,
  { ports, maxArgumentBytes }: Limits,
  { readUrl }: Pick<Outgoing, 'readUrl'>,
  ctx: CallContext,
): Omit<StoredTool, 'secret'> {
  const { name, description = '', handlerUrl, timeoutMs = TIMEOUT_MS.default, enabled = true } = given
  const fault = schemaFault(given.schema, maxArgumentBytes)
  if (fault) throw BadRequest(fault)
  const read = readUrl(handlerUrl, { ports, mayLoopBack: isLocalOperator(ctx) })
  if ('fault' in read) throw BadRequest({ field: 'handlerUrl', message: `\`handlerUrl\` must be one that ${read.fault}.` })
  const definition = {
    name,
    description,
    schemaText: JSON.stringify(withoutDraft(given.schema)),
    handlerUrl,
    timeoutMs: Math.round(Math.min(Math.max(timeoutMs, TIMEOUT_MS.min), TIMEOUT_MS.max)),
  }
  const at = ctx.now().toISOString()
  return {
    ...definition,
    enabled,
    hash: definitionHash(definition),
    createdAt: at,
    updatedAt: at,
    updatedBy: callerName(ctx.principal),
    loopback: read.loopback,
  }
}

/** Another handler must not be able to sign for the previous one, or read what was signed for it. A lost secret is replaced. */
function keepsSecret({ handlerUrl }: Pick<StoredTool, 'handlerUrl'>, before: StoredTool | undefined, seal: Seal): boolean {
  return before?.handlerUrl === handlerUrl && openSecret(seal, before) !== undefined
}

const isLocalOperator = ({ principal }: CallContext): boolean => principal.kind === 'operator'
