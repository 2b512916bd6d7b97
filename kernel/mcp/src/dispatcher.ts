import type { Gateway } from '@gateway/kernel'
import { completionMethods } from './completion.ts'
import { METHOD_NOT_FOUND, RpcError } from './jsonrpc.ts'
import type { Dispatch, Method } from './methods.ts'
import { promptMethods } from './prompts.ts'
import { resourceMethods } from './resources.ts'
import { toolMethods } from './tools.ts'

/**
 * Maps methods to answers, independent of versions, sessions and transports, which belong to the protocol that received the
 * message.
 */
export function createDispatcher(gateway: Gateway): Dispatch {
  const methods = new Map<string, Method>(
    Object.entries({
      ...toolMethods(gateway),
      ...resourceMethods(gateway),
      ...promptMethods(gateway),
      ...completionMethods(gateway),
    }),
  )
  return (name, params, caller) => {
    const method = methods.get(name)
    if (method === undefined) throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${name}`)
    return method(params, caller)
  }
}
