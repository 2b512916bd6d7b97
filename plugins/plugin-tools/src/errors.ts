import { defineError, Type } from '@gateway/sdk'

const FAILURES = {
  address: 'its name leads to an address that calls must not go to',
  untrusted: 'its certificate is of no authority that is trusted here',
  expired: 'its certificate has expired, or is not valid yet',
  name: 'its certificate is for another host',
  unreachable: 'it cannot be reached',
  redirect: 'it redirects, which is not followed',
  status: 'it answered with a status other than 2xx',
  encoding: 'its answer is compressed, which was not asked for',
  type: 'its answer is no JSON by its content type',
  size: 'its answer is too large',
  json: 'its answer is no JSON, nested too deep, or has a number too large to be one',
} as const
export type Failure = keyof typeof FAILURES
const REASONS = [
  'address',
  'untrusted',
  'expired',
  'name',
  'unreachable',
  'redirect',
  'status',
  'encoding',
  'type',
  'size',
  'json',
] as const

export const HandlerFailed = defineError('HANDLER_FAILED', {
  status: 502,
  description:
    'The handler of a tenant’s own tool gave no usable response; `details.reason` says why. The call may or may not have been carried out.',
  details: Type.Object({
    tool: Type.String(),
    reason: Type.Enum(REASONS),
    status: Type.Optional(Type.Integer()),
  }),
  message: ({ tool, reason, status }) => `The handler of ${tool} failed: ${FAILURES[reason]}${status === undefined ? '' : ` (${status})`}.`,
})

export const HandlerTimeout = defineError('HANDLER_TIMEOUT', {
  status: 504,
  description:
    'The handler of a tenant’s own tool did not respond within the tool’s `timeoutMs`. The call may or may not have been carried out.',
  details: Type.Object({ tool: Type.String(), timeoutMs: Type.Integer() }),
  message: ({ tool, timeoutMs }) => `The handler of ${tool} did not answer within ${timeoutMs} ms.`,
})

export const HandlerBusy = defineError('HANDLER_BUSY', {
  status: 503,
  description:
    'Too many calls of a tenant’s own tools are in progress, or the tool is paused after failures; try again after `retryAfterSeconds`.',
  details: Type.Object({ message: Type.String(), retryAfterSeconds: Type.Integer() }),
  message: ({ message }) => message,
})

export const HandlerSecretLost = defineError('HANDLER_SECRET_LOST', {
  status: 409,
  description:
    'The secret that signs calls of a tenant’s own tool cannot be read: the gateway’s hash key has changed, or the secret was stored before secrets were sealed. Register the tool again; the answer has a new secret for the handler.',
  details: Type.Object({ tool: Type.String() }),
  message: ({ tool }) =>
    `The secret that calls of ${tool} are signed with cannot be read any more. Register the tool again with plugin_tools_register, and give its handler the new secret.`,
})

export const handlerErrors = [HandlerFailed, HandlerTimeout, HandlerBusy, HandlerSecretLost]
