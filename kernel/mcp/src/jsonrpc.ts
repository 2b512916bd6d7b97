import { cutText } from '@gateway/sdk'

/** JSON-RPC 2.0 as MCP restricts it: ids are strings or integers, parameters are by name. */

export type Id = string | number
export type Params = Readonly<Record<string, unknown>>

export type Message =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | Response
  | { readonly kind: 'invalid'; readonly id: Id | null; readonly error: RpcError }

export interface Response {
  readonly kind: 'response'
  readonly id: Id
  readonly result?: unknown
  readonly error?: unknown
}

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL = -32603
/** The range that JSON-RPC leaves to servers; MCP defines the codes below it. */
export const SERVER_ERROR = -32000
export const SESSION_NOT_FOUND = -32001
export const RESOURCE_NOT_FOUND = -32002

/** An error of the protocol, not of a tool. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

const NO_PARAMS: Params = Object.freeze({})

/** Classifies one parsed JSON value. An invalid one keeps a readable id, so that the answer reaches its caller. */
export function readMessage(value: unknown): Message {
  if (!isObject(value)) return invalid(null, `a message is an object; got ${nameOf(value)}`)
  const { jsonrpc, id, method, params } = value
  const readable = readableId(value)
  if (jsonrpc !== '2.0') return invalid(readable, `jsonrpc must be "2.0"; got ${nameOf(jsonrpc)}`)
  if (method === undefined) {
    if (isId(id) && ('result' in value || isObject(value.error))) return { kind: 'response', id, result: value.result, error: value.error }
    return invalid(readable, 'a message has a method, or is the response to a request')
  }
  if (typeof method !== 'string') return invalid(readable, `method must be a string; got ${nameOf(method)}`)
  if ('id' in value && readable === null) return invalid(null, `id must be a string or a whole number; got ${nameOf(id)}`)
  if (params !== undefined && params !== null && !isObject(params)) {
    const why = `params must be an object; got ${nameOf(params)}`
    // A notification has no answer, so it is refused as a whole.
    if (readable === null) return invalid(null, why)
    return { kind: 'invalid', id: readable, error: new RpcError(INVALID_PARAMS, `Invalid params: ${why}`) }
  }
  const named = withoutNulls(params ?? NO_PARAMS)
  return readable === null ? { kind: 'notification', method, params: named } : { kind: 'request', id: readable, method, params: named }
}

/** Some clients send null for optional members they do not mean. */
function withoutNulls(params: Params): Params {
  for (const name in params) {
    if (params[name] === null) return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))
  }
  return params
}

/** A whole answer; `result` is JSON already. Bytes stay bytes: a list of tools is not decoded and encoded again. */
export function resultMessage(id: Id, result: string | Buffer): string | Buffer {
  const head = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`
  return typeof result === 'string' ? `${head}${result}}` : Buffer.concat([Buffer.from(head), result, CLOSE])
}
const CLOSE = Buffer.from('}')

/** Omits `id` where a protocol leaves it out of an answer to an unreadable message. */
export function errorMessage(id: Id | null | undefined, { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Type of a value, for messages. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${cutText(JSON.stringify(value), 60)}`
}

/** Id under which an answer to this value reaches its caller. */
export function readableId(value: unknown): Id | null {
  return isObject(value) && isId(value.id) ? value.id : null
}

/** An id beyond the safe integers would come back changed, and its caller would wait forever. */
function isId(id: unknown): id is Id {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function invalid(id: Id | null, why: string): Message {
  return { kind: 'invalid', id, error: new RpcError(INVALID_REQUEST, `Invalid request: ${why}`) }
}
