import type { Gateway } from '@gateway/kernel'
import { core, everything, familyViews, perCaller, type View } from '@gateway/mcp'
import { BadRequest } from '@gateway/sdk'
import { published } from '@gateway/sdk/portable'
import { describe } from '@gateway/validation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ref } from './openapi/json.ts'
import { answer, count, object, page, text } from './openapi/page.ts'
import { security } from './openapi/security.ts'
import { sendJson } from './reply.ts'

const toolEntry = object({
  name: text,
  description: text,
  plugin: text,
  capability: text,
  effect: { enum: ['read', 'write', 'destructive'] },
  inputSchema: { type: 'object' },
})
const view = {
  name: 'view',
  in: 'query',
  required: false,
  description: 'Name of the list: `all`, `core` (what `/mcp/core` lists) or `t/{family,…}` (what `/mcp/t/{family,…}` lists).',
  schema: { type: 'string', default: 'all' },
}
export const toolListPage = page('tools', 'The tools the caller may see.', {
  responses: {
    200: answer('In the order of `tools/list`.', object({ count, tools: { type: 'array', items: toolEntry } })),
    default: ref('responses', 'Error'),
  },
  security: security('caller'),
  parameters: [view],
})

/** `?view=` takes the part after `/mcp/` in the address of a view. */
export function listTools(gateway: Gateway) {
  const families = familyViews(gateway.inventory)
  const viewOf = (name: string | string[] | undefined): View => {
    if (name === undefined || name === 'all') return everything
    if (name === 'core') return core
    if (typeof name === 'string' && name.startsWith('t/')) return families(name.slice(2))
    throw BadRequest({ field: 'view', message: `\`view\` must be all, core or t/{family,…}; got ${describe(name)}.` })
  }
  const lists = perCaller(gateway, (visible) => {
    const tools = visible.map(({ plugin, item }) => ({
      name: item.name,
      description: item.description,
      plugin,
      capability: item.capability,
      effect: item.effect,
      inputSchema: published(item.input),
    }))
    return Buffer.from(JSON.stringify({ count: tools.length, tools }))
  })
  return async ({ principal, query }: FastifyRequest, reply: FastifyReply) =>
    sendJson(reply, 200, await lists(principal, viewOf((query as Record<string, string | string[] | undefined>).view)))
}
