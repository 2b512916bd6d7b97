import type { Principal } from '@gateway/sdk'
import type { Call, Gateway } from '../gateway.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, nameOf, type Params, RpcError } from './jsonrpc.ts'
import { promptMethods } from './prompts.ts'
import { resourceMethods } from './resources.ts'
import { toolMethods } from './tools.ts'

/** The ways into the kernel, as the transport hands them over. */
export type Calls = Pick<Gateway, 'invoke' | 'readResource' | 'renderPrompt'>

/** Who asks, and how the work can be stopped or followed. The same in every era of the protocol. */
export interface RpcCall {
  readonly principal: Principal
  readonly requestId: string
  readonly abort: LazyAbort
  readonly progress: Call['progress']
}

/** Answers with the result as JSON text or bytes; throws RpcError. */
export type Method = (params: Params, call: RpcCall) => Promise<string | Buffer> | string | Buffer
export type Methods = Readonly<Record<string, Method>>

export type Dispatch = (method: string, params: Params, call: RpcCall) => Promise<string | Buffer> | string | Buffer

/** Method → answer, without a word on versions, sessions or transports: those belong to the era that received the message. */
export function createDispatcher(gateway: Gateway, calls: Calls): Dispatch {
  const methods = new Map<string, Method>(
    Object.entries({ ...toolMethods(gateway, calls), ...resourceMethods(gateway, calls), ...promptMethods(gateway, calls) }),
  )
  return (name, params, call) => {
    const method = methods.get(name)
    if (method === undefined) throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${name}`)
    return method(params, call)
  }
}

/** The call as the kernel takes it; its signal is made when somebody asks for it. */
export function kernelCall(name: string, args: object, { principal, requestId, abort, progress }: RpcCall): Call {
  return {
    name,
    args,
    principal,
    via: 'mcp',
    requestId,
    progress,
    get signal() {
      return abort.signal
    },
  }
}

export function stringParam(params: Params, name: string): string {
  const value = params[name]
  if (typeof value !== 'string') throw new RpcError(INVALID_PARAMS, `Invalid params: ${name} must be a string; got ${nameOf(value)}`)
  return value
}

/** One page holds everything, so that no cursor was ever handed out: any cursor is a foreign one. */
export function refuseCursor(params: Params): void {
  if (params['cursor'] !== undefined) throw new RpcError(INVALID_PARAMS, 'Invalid params: cursor is not one of this gateway; the list has one page')
}
