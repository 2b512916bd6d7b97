import { type ClientAbility, cutText } from '@gateway/sdk'
import { capabilitiesFor } from '../abilities.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from '../jsonrpc.ts'
import { VERSIONS } from './protocol.ts'

export const HEADER_MISMATCH = -32020
const MISSING_CAPABILITY = -32021
const UNSUPPORTED_VERSION = -32022
/**
 * Outside the ranges reserved by JSON-RPC and the protocol: a prompt or resource refused by its own rules, or a request refused
 * by HTTP.
 */
export const REFUSED = -31_000

/** A protocol error with its own HTTP status; any other is sent with 200. */
export class Refusal extends RpcError {
  readonly status: number
  constructor(status: number, code: number, message: string, data?: unknown) {
    super(code, message, data)
    this.status = status
  }
}

export const invalidParams = (why: string): RpcError => new RpcError(INVALID_PARAMS, `Invalid params: ${why}`)
export const missingMeta = (why: string): Refusal => new Refusal(400, INVALID_PARAMS, `Invalid params: ${why}`)
export const headerMismatch = (why: string): Refusal => new Refusal(400, HEADER_MISMATCH, `Header mismatch: ${why}`)
export const methodNotFound = (method: string): Refusal => new Refusal(404, METHOD_NOT_FOUND, `Method not found: ${cutText(method, 200)}`)

export function unsupportedVersion(requested: string): Refusal {
  return new Refusal(400, UNSUPPORTED_VERSION, 'Unsupported protocol version', { supported: VERSIONS, requested: cutText(requested, 60) })
}

/** Names the least capabilities that would do, in the form in which a client declares them. */
export function missingCapability(abilities: Iterable<ClientAbility>): Refusal {
  const required: Record<string, object> = {}
  for (const ability of abilities) {
    for (const [name, value] of Object.entries(capabilitiesFor(ability))) required[name] = { ...required[name], ...value }
  }
  return new Refusal(400, MISSING_CAPABILITY, 'Missing required client capability', { requiredCapabilities: required })
}
