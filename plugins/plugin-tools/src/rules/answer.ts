import type { IncomingHttpHeaders } from 'node:http'
import { readJson } from '@gateway/sdk/json'
import type { Failure } from '../errors.ts'

/** Whatever reads the answer later on, recursively, may rely on the depth. And each name and value takes time that no other call is served in. */
const LIMITS = { depth: 64, values: 20_000 }

/** The value a handler answered, or what is wrong with it: it is no JSON or nested too deep, or there is too much of it. */
export function readAnswer(bytes: Buffer): { readonly value: unknown } | { readonly failure: 'json' | 'size' } {
  const read = readJson(bytes, LIMITS)
  if (read.fault === undefined) return { value: read.value }
  return { failure: read.fault === 'values' ? 'size' : 'json' }
}

/** Why an answer is not read, as far as its status and headers tell. */
export function headFailure(
  status: number,
  headers: IncomingHttpHeaders,
): { readonly failure: Failure; readonly status?: number } | undefined {
  if (status >= 300 && status < 400) return { failure: 'redirect', status }
  if (status >= 400) return { failure: 'status', status }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return { failure: 'encoding' }
  if (!isJsonType(headers['content-type'])) return { failure: 'type' }
  return undefined
}

const isJsonType = (contentType: unknown): boolean =>
  typeof contentType === 'string' && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)
