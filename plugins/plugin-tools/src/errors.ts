import { defineError, Type } from '@gateway/sdk'

export const FAILURES = {
  address: 'its name leads to an address that calls must not go to',
  unreachable: 'it cannot be reached',
  redirect: 'it redirects, which is not followed',
  status: 'it answered with a status that is no success',
  encoding: 'its answer is compressed, which was not asked for',
  type: 'its answer is no JSON by its content type',
  size: 'its answer is too large',
  json: 'its answer is no JSON, or nested too deep',
} as const
export type Failure = keyof typeof FAILURES
const REASONS = ['address', 'unreachable', 'redirect', 'status', 'encoding', 'type', 'size', 'json'] as const

export const HandlerFailed = defineError('HANDLER_FAILED', {
  status: 502,
  description: 'The handler of a tenant’s own tool gave no usable answer; `details.reason` says why. Whether it did its work is unknown.',
  details: Type.Object({
    tool: Type.String(),
    reason: Type.Enum(REASONS),
    status: Type.Optional(Type.Integer()),
  }),
  message: ({ tool, reason, status }) => `The handler of ${tool} failed: ${FAILURES[reason]}${status === undefined ? '' : ` (${status})`}.`,
})

export const HandlerTimeout = defineError('HANDLER_TIMEOUT', {
  status: 504,
  description: 'The handler of a tenant’s own tool did not answer within the tool’s `timeoutMs`. Whether it did its work is unknown.',
  details: Type.Object({ tool: Type.String(), timeoutMs: Type.Integer() }),
  message: ({ tool, timeoutMs }) => `The handler of ${tool} did not answer within ${timeoutMs} ms.`,
})

export const HandlerBusy = defineError('HANDLER_BUSY', {
  status: 503,
  description:
    'Too many calls of a tenant’s own tools are under way, or the tool rests after failures; try again after `retryAfterSeconds`.',
  details: Type.Object({ message: Type.String(), retryAfterSeconds: Type.Integer() }),
  message: ({ message }) => message,
})

export const handlerErrors = [HandlerFailed, HandlerTimeout, HandlerBusy]
