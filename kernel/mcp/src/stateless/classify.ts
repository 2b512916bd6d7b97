import type { IncomingHttpHeaders } from 'node:http'
import { isVersion } from '../handshake/versions.ts'
import { isObject } from '../jsonrpc.ts'
import { PROTOCOL_VERSION } from './protocol.ts'

/**
 * Decides which protocol a POST belongs to. One endpoint serves both, so every message is classified by itself:
 *
 * 1. A message that names its version in `_meta` is stateless, whatever it asks for.
 * 2. Otherwise `initialize`, batches, and messages that name a session belong to the handshake protocol.
 * 3. Otherwise the header decides: a version that no handshake agrees on is stateless, and malformed.
 *
 * `Mcp-Method` decides nothing: clients send it in both protocols.
 */
export function isStateless(body: unknown, headers: IncomingHttpHeaders): boolean {
  if (namesVersion(body)) return true
  if (Array.isArray(body) || headers['mcp-session-id'] !== undefined) return false
  return namesStateless(headers) && !(isObject(body) && body.method === 'initialize')
}

/** Batches were removed before this protocol. */
export function isStatelessBatch(body: unknown): boolean {
  return Array.isArray(body) && body.some(namesVersion)
}

/** Id of a message that could not be read; in this protocol the error then has no `id` at all. */
export function unreadId(headers: IncomingHttpHeaders): null | undefined {
  return namesStateless(headers) ? undefined : null
}

/** True if the header names a version that no handshake agrees on. */
export function namesStateless({ 'mcp-protocol-version': version }: IncomingHttpHeaders): boolean {
  return version !== undefined && !(typeof version === 'string' && isVersion(version))
}

function namesVersion(message: unknown): boolean {
  return (
    isObject(message) && isObject(message.params) && isObject(message.params._meta) && message.params._meta[PROTOCOL_VERSION] !== undefined
  )
}
