import { InternalError, PayloadTooLarge } from '@gateway/kernel'
import { NotAcceptable, UnknownFamily } from '@gateway/mcp'
import { BadRequest, cutText, defineError, type ErrorSpec, isToolError, type ToolError, Type } from '@gateway/sdk'
import type { FastifyReply } from 'fastify'

/** Refusals that exist only in HTTP. */

export const RouteNotFound = defineError('NOT_FOUND', {
  status: 404,
  description: 'No route of this path; `GET /api/tools` lists the tools, `/api/docs` every route.',
  details: Type.Object({ method: Type.String(), path: Type.String() }),
  message: ({ method, path }) => `No route ${method} ${path}; GET /api/tools lists the tools, /api/docs every route.`,
})
export const MethodNotAllowed = defineError('METHOD_NOT_ALLOWED', {
  status: 405,
  description: 'The path exists, but not for this method; the header `Allow` lists the methods it has.',
  details: Type.Object({ method: Type.String(), path: Type.String(), allow: Type.Array(Type.String()) }),
  message: ({ method, path, allow }) => `${path} does not take ${method}; it takes ${allow.join(', ')}.`,
})
export const UnsupportedMedia = defineError('UNSUPPORTED_MEDIA_TYPE', {
  status: 415,
  description: 'Bodies are JSON: send `content-type: application/json`.',
  details: Type.Object({ expected: Type.String(), got: Type.String() }),
  message: ({ expected, got }) => `The body must be sent as content-type ${expected}; got ${got}.`,
})
export const HeadersTooLarge = defineError('HEADERS_TOO_LARGE', {
  status: 431,
  description: 'The request line and headers are larger than the gateway accepts.',
  details: Type.Object({ limitBytes: Type.Integer() }),
  message: ({ limitBytes }) => `The request line and headers are larger than ${limitBytes} bytes.`,
})
export const RequestTimeout = defineError('REQUEST_TIMEOUT', {
  status: 408,
  description: 'The request did not arrive completely in time.',
  details: Type.Object({ limitMs: Type.Integer() }),
  message: ({ limitMs }) => `The request did not arrive whole within ${limitMs} ms.`,
})
export const CallerChanged = defineError('CALLER_CHANGED', {
  status: 412,
  description: 'The caller is not the one that the header `x-gateway-caller` names: the browser has signed in or out in the meantime.',
  details: Type.Object({ expected: Type.String(), got: Type.String() }),
  message: ({ expected, got }) => `x-gateway-caller must name the caller; expected ${expected}, got ${got}.`,
})
export const httpErrors: readonly ErrorSpec[] = [
  RouteNotFound,
  UnknownFamily,
  MethodNotAllowed,
  UnsupportedMedia,
  NotAcceptable,
  HeadersTooLarge,
  RequestTimeout,
  CallerChanged,
]

/** Turns any failure of a request into the error its caller sees, and logs the gateway's own faults. */
export type Failures = (failure: unknown, reply: FastifyReply) => ToolError

export interface FailedRequest {
  readonly contentType: string | undefined
  readonly limitBytes: number
  readonly path: string
}

/**
 * Turns any failure into an error that a caller may see. Fastify's own errors are recognised by code; anything else is a fault
 * of the gateway.
 */
export function toToolError(error: unknown, { contentType, limitBytes, path }: FailedRequest): ToolError {
  if (isToolError(error)) return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return PayloadTooLarge({ limitBytes })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return UnsupportedMedia({ expected: 'application/json', got: contentType?.slice(0, 200) ?? '(none)' })
    case 'FST_ERR_BAD_URL':
      return BadRequest({ field: 'path', message: `path must be UTF-8, percent-encoded; got ${JSON.stringify(cutText(path, 200))}.` })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return BadRequest({ message: message ?? 'Bad request.' })
  return InternalError({})
}
