import { contribute, type Seal, type TenantTool, tenantTools } from '@gateway/sdk'
import { OF_TOOLS, pluginTools, revisions, type StoredTool } from '../collections.ts'
import { config } from '../config.ts'
import { HandlerSecretLost, handlerErrors } from '../errors.ts'
import { CallableTool } from '../operations/callable-tool.ts'
import { openSecret, secretSeal } from '../operations/secret.ts'
import { checkArguments } from '../rules/arguments.ts'
import { MAX_TOOLS } from '../schema.ts'
import { handlers } from '../services/handlers.ts'

interface RegisteredTool extends TenantTool {
  /** Undefined if its secret cannot be read. */
  readonly callable: CallableTool | undefined
}

export const source = contribute(tenantTools, {
  errors: handlerErrors,
  uses: { pluginTools, revisions, config, handlers, seal: secretSeal },
  create: ({ pluginTools, revisions, config, handlers, seal }, ctx) => ({
    async revision() {
      if (!config.enabled) return ''
      return (await revisions.get(OF_TOOLS))?.revision ?? ''
    },
    async list() {
      const { items } = await pluginTools.find({ sort: { name: 1 }, limit: MAX_TOOLS })
      return items
        .filter(({ enabled }) => enabled)
        .map((stored) => offered(stored, callableTool(ctx.tenantId, stored, seal), config.maxArgumentBytes))
    },
    async call(tool, args) {
      const { name, callable } = tool as RegisteredTool
      if (callable === undefined) throw HandlerSecretLost({ tool: name })
      // In a member of its own: the handler's answer is data, and no part of it is taken for the gateway's.
      return { result: await handlers.call(callable, args, ctx) }
    },
  }),
})

function callableTool(tenantId: string, stored: StoredTool, seal: Seal): CallableTool | undefined {
  const secret = openSecret(seal, stored)
  return secret === undefined ? undefined : new CallableTool(tenantId, stored, secret)
}

function offered(
  { name, description, schemaText }: StoredTool,
  callable: CallableTool | undefined,
  maxArgumentBytes: number,
): RegisteredTool {
  const input = JSON.parse(schemaText)
  const hasDefaults = schemaText.includes('"default"')
  return {
    callable,
    name,
    description,
    capability: 'work',
    // Only the tenant knows what its handler does, so a host that asks its user before destructive tools should ask.
    effect: 'destructive',
    idempotent: false,
    openWorld: true,
    input,
    validate: (args) => checkArguments(input, args, maxArgumentBytes, hasDefaults),
  }
}
