import { defineError, Type } from '@gateway/sdk'

export const KeyReused = defineError('IDEMPOTENCY_KEY_REUSED', {
  status: 409,
  description: 'The idempotency key was used in the last 24 hours for the same tool with other arguments. Use a new key for a new call.',
  details: Type.Object({ tool: Type.String() }),
  message: ({ tool }) => `This idempotency key was already used for ${tool} with other arguments; use a new key for a new call.`,
})
export const KeyInProgress = defineError('IDEMPOTENCY_IN_PROGRESS', {
  status: 409,
  description: 'The first call with this idempotency key is still running; repeat the call after `retryAfterSeconds` to get its answer.',
  details: Type.Object({ tool: Type.String(), retryAfterSeconds: Type.Integer() }),
  message: ({ tool, retryAfterSeconds }) =>
    `The first call of ${tool} with this idempotency key is still running; repeat it in ${retryAfterSeconds} s to get its answer.`,
})
