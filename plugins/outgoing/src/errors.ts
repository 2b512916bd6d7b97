import { defineError, Type } from '@gateway/sdk'

const REASONS = [
  'address',
  'connect',
  'untrusted',
  'expired',
  'name',
  'reset',
  'protocol',
  'encoding',
  'too_large',
  'request_too_large',
] as const
export type Failure = (typeof REASONS)[number]

const FAILURES: Readonly<Record<Failure, string>> = {
  address: 'its name leads to an address that calls must not go to',
  connect: 'it cannot be reached',
  untrusted: 'its certificate is of no authority that is trusted here',
  expired: 'its certificate has expired, or is not valid yet',
  name: 'its certificate is for another host',
  reset: 'it broke the connection off',
  protocol: 'its answer is not HTTP',
  encoding: 'its answer is compressed in a way that was not asked for, or broken',
  too_large: 'its answer is too large',
  request_too_large: 'the request is too large',
}

const PHASES = ['connect', 'first_byte', 'idle', 'total'] as const
export type Phase = (typeof PHASES)[number]

const IN_PHASE: Readonly<Record<Phase, string>> = {
  connect: 'could not be connected to',
  first_byte: 'did not begin to answer',
  idle: 'sent nothing more of its answer',
  total: 'did not answer in full',
}

const Sent = Type.Boolean({ description: 'true: the request may have been carried out; false: no part of it was sent.' })

export const OutgoingFailed = defineError('OUTGOING_FAILED', {
  status: 502,
  description:
    'An outgoing call got no usable response; `details.reason` says why, `details.sent` whether the request may have been carried out.',
  details: Type.Object({ origin: Type.String(), reason: Type.Enum(REASONS), sent: Sent }),
  message: ({ origin, reason }) => `The call to ${origin} failed: ${FAILURES[reason]}.`,
})

export const OutgoingTimeout = defineError('OUTGOING_TIMEOUT', {
  status: 504,
  description: 'An outgoing call timed out; `details.phase` says where, `details.sent` whether the request may have been carried out.',
  details: Type.Object({ origin: Type.String(), phase: Type.Enum(PHASES), afterMs: Type.Integer(), sent: Sent }),
  message: ({ origin, phase, afterMs }) => `${origin} ${IN_PHASE[phase]} within ${afterMs} ms.`,
})

export const OutgoingBusy = defineError('OUTGOING_BUSY', {
  status: 503,
  description:
    'Too many outgoing calls are in progress, or calls to this server are paused after failures; nothing was sent. Try again after `retryAfterSeconds`.',
  details: Type.Object({
    origin: Type.String(),
    reason: Type.Enum(['tenant', 'origin', 'gateway', 'breaker']),
    retryAfterSeconds: Type.Integer(),
    message: Type.String(),
  }),
  message: ({ message }) => message,
})

export const outgoingErrors = [OutgoingFailed, OutgoingTimeout, OutgoingBusy]
