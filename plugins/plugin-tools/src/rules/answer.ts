import type { IncomingHttpHeaders } from 'node:http'
import { readJson } from '@gateway/sdk/json'
import type { Failure } from '../errors.ts'

/**
 * Later recursive readers of the answer rely on the depth. Each name and value takes time during which no other call is served.
 */
const LIMITS = { depth: 64, values: 20_000 }

/** The value of a handler's answer, or its fault: it is not JSON, nested too deep, or too large. */
export function readAnswer(bytes: Buffer): { readonly value: unknown } | { readonly failure: 'json' | 'size' } {
  const read = readJson(bytes, LIMITS)
  if (read.fault === undefined) return { value: read.value }
  return { failure: read.fault === 'values' ? 'size' : 'json' }
}

/** Reason why an answer is not read, from its status and headers. */
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
