import type { IncomingHttpHeaders } from 'node:http'
import { isVersion } from '../handshake/versions.ts'
import { isObject } from '../jsonrpc.ts'
import { PROTOCOL_VERSION } from './protocol.ts'

/**
 * Which era a POST belongs to. One endpoint serves both at once, so every message is looked at by itself:
 *
 * 1. a message that names its version in `_meta` is of this era, whatever it asks for;
 * 2. otherwise `initialize`, batches, and what names a session belong to the handshake;
 * 3. otherwise the header decides: a version that no handshake agrees on is of this era, and malformed.
 *
 * `Mcp-Method` says nothing: clients send it in both eras.
 */
export function isStateless(body: unknown, headers: IncomingHttpHeaders): boolean {
  if (namesVersion(body)) return true
  if (Array.isArray(body) || headers['mcp-session-id'] !== undefined) return false
  return namesStateless(headers) && !(isObject(body) && body.method === 'initialize')
}

/** Batches ended before this era began. */
export function isStatelessBatch(body: unknown): boolean {
  return Array.isArray(body) && body.some(namesVersion)
}

/** Of a message that could not be read; in this era an error then has no `id` at all. */
export function unreadId(headers: IncomingHttpHeaders): null | undefined {
  return namesStateless(headers) ? undefined : null
}

/** Whether the header names a version that no handshake agrees on. */
export function namesStateless({ 'mcp-protocol-version': version }: IncomingHttpHeaders): boolean {
  return version !== undefined && !(typeof version === 'string' && isVersion(version))
}

function namesVersion(message: unknown): boolean {
  return (
    isObject(message) && isObject(message.params) && isObject(message.params._meta) && message.params._meta[PROTOCOL_VERSION] !== undefined
  )
}
