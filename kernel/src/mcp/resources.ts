import type { Resource } from '@gateway/sdk'
import { FaceCall } from '../face-call.ts'
import type { Gateway } from '../gateway.ts'
import { type Calls, type Methods, refuseCursor, stringParam } from './dispatcher.ts'
import { RESOURCE_NOT_FOUND, RpcError, SERVER_ERROR } from './jsonrpc.ts'

/** Resources by URI, and templates: URIs with `{variables}`. */
export function resourceMethods(gateway: Gateway, calls: Calls): Methods {
  const all = gateway.inventory.resources.map(({ item }) => item)
  const isTemplate = ({ uri }: Resource): boolean => uri.includes('{')
  const about = ({ name, description, mimeType }: Resource) => ({ name, description, mimeType })
  const resources = JSON.stringify({
    resources: all.filter((one) => !isTemplate(one)).map((one) => ({ uri: one.uri, ...about(one) })),
  })
  const templates = JSON.stringify({
    resourceTemplates: all.filter(isTemplate).map((one) => ({ uriTemplate: one.uri, ...about(one) })),
  })
  const listed = (json: string) => (params: Parameters<typeof refuseCursor>[0]) => {
    refuseCursor(params)
    return json
  }
  return {
    'resources/list': listed(resources),
    'resources/templates/list': listed(templates),
    'resources/read': async (params, caller) => {
      const uri = stringParam(params, 'uri')
      const outcome = await calls.readResource(uri, new FaceCall(uri, {}, 'mcp', caller))
      if (outcome.ok) return JSON.stringify(outcome.result)
      caller.refused?.(outcome)
      if (outcome.error.code === 'NOT_FOUND') throw new RpcError(RESOURCE_NOT_FOUND, 'Resource not found', { uri })
      throw new RpcError(SERVER_ERROR, outcome.error.error, outcome.error)
    },
  }
}
