import { commonErrors, DuplicateKey, defined, defineError, type ErrorRecord, type ErrorSpec, type ToolError, Type } from '@gateway/sdk'
import { KeyInProgress, KeyReused } from '@gateway/storage'

const Nothing = Type.Object({})

export const UnknownTool = defineError('UNKNOWN_TOOL', {
  status: 404,
  description: 'No tool or route has this name; `GET /api/tools` lists the tools.',
  details: Type.Object({ name: Type.String() }),
  message: ({ name }) => `Unknown tool: ${name}`,
})
export const Unauthorized = defineError('UNAUTHORIZED', {
  status: 401,
  description: 'No valid credential, and the request is not a trusted local one.',
  details: Type.Object({ message: Type.String() }),
  message: ({ message }) => message,
})
export const AdminDisabled = defineError('ADMIN_DISABLED', {
  status: 503,
  description: 'The operator’s routes are off until ADMIN_API_TOKEN is set on the server.',
  details: Type.Object({ setting: Type.String() }),
  message: ({ setting }) => `This route is off: ${setting} is not set on the server.`,
})
export const TenantSuspended = defineError('TENANT_SUSPENDED', {
  status: 403,
  description: 'The caller’s tenant is suspended or deleted; the operator can reactivate a suspended one.',
  details: Type.Object({ tenantId: Type.String(), status: Type.Optional(Type.Literal('deleted')) }),
  message: ({ tenantId, status = 'suspended' }) => `Tenant ${tenantId} is ${status}.`,
})
const TOO_MANY = {
  credentials: 'This credential is not valid, and too many invalid ones came from this address',
  caller: 'This key or session made as many calls as one may in a minute (GATEWAY_CALLS_PER_MINUTE_PER_KEY)',
  tenant: 'This tenant made as many calls as one may in a minute (GATEWAY_CALLS_PER_MINUTE_PER_TENANT)',
}
export const RateLimited = defineError('RATE_LIMITED', {
  status: 429,
  description:
    'Too many calls of one caller or tenant, or wrong credentials from one address, as `of` says; wait `retryAfterSeconds`. A valid credential never counts as wrong.',
  details: Type.Object({ retryAfterSeconds: Type.Integer(), of: Type.Enum(['credentials', 'caller', 'tenant']) }),
  message: ({ retryAfterSeconds, of }) => `${TOO_MANY[of]}; try again in ${retryAfterSeconds} s.`,
})
export const InternalError = defineError('INTERNAL_ERROR', {
  status: 500,
  description: 'The gateway or a plugin failed. The log has the details under the request id.',
  details: Nothing,
  message: () => 'The gateway failed; the log has the reason under this request id.',
})
export const PayloadTooLarge = defineError('PAYLOAD_TOO_LARGE', {
  status: 413,
  description: 'The request body is larger than the gateway accepts.',
  details: Type.Object({ limitBytes: Type.Integer() }),
  message: ({ limitBytes }) => `The request body is larger than ${limitBytes} bytes.`,
})
export const Overloaded = defineError('UNAVAILABLE', {
  status: 503,
  description: 'The gateway is stopping or has more calls than it can serve; try again after `retryAfterSeconds`.',
  details: Type.Object({ message: Type.String(), retryAfterSeconds: Type.Integer() }),
  message: ({ message }) => message,
})

export const CallTimeout = defineError('CALL_TIMEOUT', {
  status: 504,
  description:
    'The call exceeded its time limit and was cancelled. Its changes so far stay, and it may still make more: check before you call again.',
  details: Type.Object({ operation: Type.String(), limitMs: Type.Integer() }),
  message: ({ operation, limitMs }) =>
    `${operation} exceeded its ${limitMs} ms and was cancelled. It may have done its work; check before you call again.`,
})
export const AnswerTooLarge = defineError('ANSWER_TOO_LARGE', {
  status: 422,
  description: 'The response exceeds the size limit. Ask for less: a smaller `limit`, a narrower filter. A change that was made stays.',
  details: Type.Object({ limitBytes: Type.Integer(), bytes: Type.Integer() }),
  message: ({ limitBytes, bytes }) =>
    `The response must have at most ${limitBytes} bytes (GATEWAY_ANSWER_LIMIT_BYTES); got ${bytes}. Use a smaller \`limit\` or a narrower filter. A change that was made stays.`,
})

/** Seen only by callers that keep waiting while the gateway stops. The audit trail has the code. */
export const Cancelled = defineError('CANCELLED', {
  status: 499,
  description:
    'The call was cancelled: by its caller, because the caller disconnected, or because the gateway is stopping. Its changes so far stay.',
  details: Type.Object({ why: Type.String() }),
  message: ({ why }) => `The call was cancelled: ${why}.`,
})

/** Never seen by a caller: over MCP it becomes the questions themselves. The audit trail has the code. */
export const InputRequired = defineError('INPUT_REQUIRED', {
  status: 409,
  description: 'The tool has questions for the caller’s client; the call continues when the client calls again with the answers.',
  details: Nothing,
  message: () => 'The tool has questions; call again with the answers.',
})

/** Codes that any call may be answered with. */
export const kernelErrors: readonly ErrorSpec[] = [
  ...commonErrors,
  DuplicateKey,
  UnknownTool,
  Unauthorized,
  InternalError,
  PayloadTooLarge,
  AnswerTooLarge,
  CallTimeout,
  Cancelled,
  InputRequired,
  KeyReused,
  KeyInProgress,
]

export function errorRecord(error: ToolError, requestId: string): ErrorRecord {
  return { error: error.message, code: error.code, requestId, ...defined({ details: error.details }) }
}
