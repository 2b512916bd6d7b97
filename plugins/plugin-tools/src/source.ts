import { contribute, type TenantTool, tenantTools } from '@gateway/sdk'
import { OF_TOOLS, pluginTools, revisions, type StoredTool } from './collections.ts'
import { config } from './config.ts'
import { HandlerSecretLost, handlerErrors } from './errors.ts'
import { handlers } from './outbound/handlers.ts'
import { checkArguments } from './rules/arguments.ts'
import { MAX_TOOLS } from './schema.ts'
import { openSecret, secretSeal } from './secret.ts'

interface RegisteredTool extends TenantTool {
  readonly stored: StoredTool
  /** Opened once for all calls of it. */
  readonly secret: string | undefined
}

/** The tools of the tenant as the kernel lists and calls them. */
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
      return items.filter(({ enabled }) => enabled).map((stored) => offered(stored, openSecret(seal, stored), config.maxArgumentBytes))
    },
    async call(tool, args) {
      const { stored, secret } = tool as RegisteredTool
      if (secret === undefined) throw HandlerSecretLost({ tool: stored.name })
      // Under a member of its own: what a handler answers is data, and no part of it is taken for the gateway’s.
      return { result: await handlers.call({ ...stored, secret }, args, ctx) }
    },
  }),
})

function offered(stored: StoredTool, secret: string | undefined, maxArgumentBytes: number): RegisteredTool {
  const input = JSON.parse(stored.schemaText)
  return {
    stored,
    secret,
    name: stored.name,
    description: stored.description,
    capability: 'work',
    // Nobody but the tenant knows what its handler does; a host that asks its user before such tools should ask.
    effect: 'destructive',
    idempotent: false,
    openWorld: true,
    input,
    validate: (args) => checkArguments(input, args, maxArgumentBytes),
  }
}
