import { cutText } from '@gateway/sdk'
import { errorMessage, type Id, INVALID_REQUEST, SERVER_ERROR, SESSION_NOT_FOUND } from '../jsonrpc.ts'
import type { Answer } from './exchange.ts'
import { VERSIONS } from './versions.ts'

/**
 * Refusals of the transport, with their own status; refusals of a method are sent with 200, as clients of this protocol need it.
 */
export function invalidRequest(id: Id | null, why: string, data?: unknown): Answer {
  return { status: 400, body: errorMessage(id, { code: INVALID_REQUEST, message: `Invalid request: ${why}`, data }) }
}

export function unsupportedVersion(requested: string, id: Id | null): Answer {
  return invalidRequest(id, 'unsupported MCP-Protocol-Version', { supported: VERSIONS, requested: cutText(requested, 60) })
}

export function sessionNotFound(id: Id | null): Answer {
  const message = 'Session not found; initialize a new session'
  return { status: 404, body: errorMessage(id, { code: SESSION_NOT_FOUND, message, data: undefined }) }
}

export function sessionMissing(to: string): Answer {
  const message = `Bad request: Mcp-Session-Id names the session to ${to}`
  return { status: 400, body: errorMessage(null, { code: SERVER_ERROR, message, data: undefined }) }
}
