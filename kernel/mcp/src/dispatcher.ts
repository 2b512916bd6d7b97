import type { Gateway, Outcome } from '@gateway/kernel'
import { completionMethods } from './completion.ts'
import type { IncomingCaller } from './incoming-call.ts'
import { INVALID_PARAMS, isObject, METHOD_NOT_FOUND, nameOf, type Params, RpcError } from './jsonrpc.ts'
import { promptMethods } from './prompts.ts'
import { resourceMethods } from './resources.ts'
import { toolMethods } from './tools.ts'
import type { View } from './views.ts'

/** A caller, and the endpoint it used. */
export interface McpCaller extends IncomingCaller {
  readonly view: View
  /** Receives a refusal before it is answered; throws if the protocol has its own answer. */
  refused?(refusal: Refused): void
}
export type Refused = Extract<Outcome, { readonly ok: false }>

/** Answers with the result as JSON text or bytes; throws RpcError. */
type Method = (params: Params, caller: McpCaller) => Promise<string | Buffer> | string | Buffer
export type Methods = Readonly<Record<string, Method>>

export type Dispatch = (method: string, params: Params, caller: McpCaller) => Promise<string | Buffer> | string | Buffer

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

/** `at` is the place of the parameters, for the message: `argument.`. */
export function stringParam(params: Params, name: string, at = ''): string {
  const value = params[name]
  if (typeof value !== 'string') throw new RpcError(INVALID_PARAMS, `Invalid params: ${at}${name} must be a string; got ${nameOf(value)}`)
  return value
}

export function objectParam(params: Params, name: string, at = ''): Params {
  const value = params[name]
  if (!isObject(value)) throw new RpcError(INVALID_PARAMS, `Invalid params: ${at}${name} must be an object; got ${nameOf(value)}`)
  return value
}

/** The member `arguments`, of texts by name; some clients send `null` for none. */
export function textArguments(params: Params, at = ''): Readonly<Record<string, string>> {
  if (params.arguments === undefined || params.arguments === null) return {}
  const args = objectParam(params, 'arguments', at)
  for (const name of Object.keys(args)) stringParam(args, name, `${at}arguments.`)
  return args as Readonly<Record<string, string>>
}
