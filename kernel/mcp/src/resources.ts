import { type Gateway, isTemplate } from '@gateway/kernel'
import type { Resource } from '@gateway/sdk'
import type { ResourceTemplate, Resource as WireResource } from '@modelcontextprotocol/sdk/types.js'
import { boundedResult } from './bounded-result.ts'
import { IncomingCall } from './incoming-call.ts'
import { RESOURCE_NOT_FOUND, RpcError, SERVER_ERROR } from './jsonrpc.ts'
import { type Methods, stringParam } from './methods.ts'
import { pages } from './pages.ts'

export function resourceMethods(gateway: Gateway): Methods {
  const all = gateway.inventory.resources.map(({ item }) => item)
  const about = ({ name, description, mimeType }: Resource) => ({ name, description, mimeType })
  const resources = all.filter((one) => !isTemplate(one.uri)).map((one) => ({ uri: one.uri, ...about(one) }) satisfies WireResource)
  const templates = all
    .filter((one) => isTemplate(one.uri))
    .map((one) => ({ uriTemplate: one.uri, ...about(one) }) satisfies ResourceTemplate)
  const { mcpPageSize } = gateway.settings
  return {
    'resources/list': pages('resources', resources, mcpPageSize),
    'resources/templates/list': pages('resourceTemplates', templates, mcpPageSize),
    'resources/read': async (params, caller) => {
      const uri = stringParam(params, 'uri')
      const outcome = await gateway.readResource(uri, new IncomingCall(uri, {}, 'mcp', caller))
      if (outcome.ok) return boundedResult(JSON.stringify(outcome.result), gateway, caller)
      caller.refused?.(outcome)
      if (outcome.error.code === 'NOT_FOUND') throw new RpcError(RESOURCE_NOT_FOUND, 'Resource not found', { uri })
      throw new RpcError(SERVER_ERROR, outcome.error.error, outcome.error)
    },
  }
}
