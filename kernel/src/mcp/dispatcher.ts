import type { FaceCaller } from '../face-call.ts'
import type { Gateway, Outcome } from '../gateway.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, nameOf, type Params, RpcError } from './jsonrpc.ts'
import { promptMethods } from './prompts.ts'
import { resourceMethods } from './resources.ts'
import { toolMethods } from './tools.ts'
import type { View } from './views.ts'

/** The ways into the kernel, as the transport hands them over. */
export type Calls = Pick<Gateway, 'invoke' | 'readResource' | 'renderPrompt' | 'complete'>

/** A caller, and the endpoint it came to. */
export interface McpCaller extends FaceCaller {
  readonly view: View
  /** Told of a refusal before it is answered; throws where an era has an answer of its own. */
  refused?(refusal: Refused): void
}
export type Refused = Extract<Outcome, { readonly ok: false }>

/** Answers with the result as JSON text or bytes; throws RpcError. */
export type Method = (params: Params, caller: McpCaller) => Promise<string | Buffer> | string | Buffer
export type Methods = Readonly<Record<string, Method>>

export type Dispatch = (method: string, params: Params, caller: McpCaller) => Promise<string | Buffer> | string | Buffer

/** Method → answer, without a word on versions, sessions or transports: those belong to the era that received the message. */
export function createDispatcher(gateway: Gateway, calls: Calls): Dispatch {
  const methods = new Map<string, Method>(
    Object.entries({ ...toolMethods(gateway, calls), ...resourceMethods(gateway, calls), ...promptMethods(gateway, calls) }),
  )
  return (name, params, caller) => {
    const method = methods.get(name)
    if (method === undefined) throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${name}`)
    return method(params, caller)
  }
}

export function stringParam(params: Params, name: string): string {
  const value = params[name]
  if (typeof value !== 'string') throw new RpcError(INVALID_PARAMS, `Invalid params: ${name} must be a string; got ${nameOf(value)}`)
  return value
}

/** One page holds everything, so that no cursor was ever handed out: any cursor is a foreign one. */
export function refuseCursor(params: Params): void {
  if (params.cursor !== undefined)
    throw new RpcError(INVALID_PARAMS, 'Invalid params: cursor is not one of this gateway; the list has one page')
}
