import { type LogLevel, logLevels } from '@gateway/sdk'
import { isObject, nameOf, type Params } from '../jsonrpc.ts'
import { CLIENT_CAPABILITIES, LOG_LEVEL, PROTOCOL_VERSION } from './protocol.ts'
import { invalidParams, missingMeta } from './refusal.ts'

/** Facts that every request states about its sender. Nothing is remembered between requests. */
export interface RequestMeta {
  readonly version: string
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly all: Readonly<Record<string, unknown>>
}

/** Throws the protocol's error if a required field is missing. `clientInfo` is not required: only the audit trail names it. */
export function readMeta(params: Params): RequestMeta {
  const all = params._meta
  if (!isObject(all)) throw missingMeta(`_meta must be an object; got ${nameOf(all)}`)
  const version = all[PROTOCOL_VERSION]
  if (typeof version !== 'string') throw missingMeta(`_meta["${PROTOCOL_VERSION}"] must be a string; got ${nameOf(version)}`)
  const capabilities = all[CLIENT_CAPABILITIES]
  if (!isObject(capabilities)) throw missingMeta(`_meta["${CLIENT_CAPABILITIES}"] must be an object; got ${nameOf(capabilities)}`)
  return { version, capabilities, all }
}

/** Lowest level that the client wants in this request, as an index into `logLevels`; undefined if it wants nothing. */
export function logThreshold({ all }: RequestMeta): number | undefined {
  const level = all[LOG_LEVEL]
  if (level === undefined || level === null) return undefined
  const at = logLevels.indexOf(level as LogLevel)
  if (at < 0) {
    throw invalidParams(`_meta["${LOG_LEVEL}"] must be one of ${logLevels.join(', ')}; got ${nameOf(level)}`)
  }
  return at
}
