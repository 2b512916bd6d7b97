import type { Outcome } from '@gateway/kernel'
import type { IncomingCaller } from './incoming-call.ts'
import { INVALID_PARAMS, isObject, nameOf, type Params, RpcError } from './jsonrpc.ts'
import type { View } from './views.ts'

export interface McpCaller extends IncomingCaller {
  readonly view: View
  /** Receives a refusal before it is answered; throws if the protocol has its own answer. */
  refused?(refusal: Refused): void
}
export type Refused = Extract<Outcome, { readonly ok: false }>

/** Answers with the result as JSON text or bytes; throws RpcError. */
export type Method = (params: Params, caller: McpCaller) => Promise<string | Buffer> | string | Buffer
export type Methods = Readonly<Record<string, Method>>

export type Dispatch = (method: string, params: Params, caller: McpCaller) => Promise<string | Buffer> | string | Buffer

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
