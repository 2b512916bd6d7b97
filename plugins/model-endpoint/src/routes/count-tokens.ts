import { modelErrors } from '@gateway/plugin-providers/api'
import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { BodyIncomplete, BodyTooLarge, ModelNotFound } from '../errors.ts'
import { countTokens, countUses } from '../operations/count-tokens.ts'
import { COUNT_HTTP, IDLE_MS, query } from '../schema.ts'

export const countTokensRoute = defineRawRoute({
  name: 'model-endpoint.count-tokens',
  description:
    'Count the tokens of a messages call without making it, free of charge; needs `work`, as the call does. Returns `input_tokens`.',
  capability: 'work',
  effect: 'read',
  rest: 'POST /v1/messages/count_tokens',
  idleMs: IDLE_MS,
  credential: 'caller',
  input: Type.Object(query, closed),
  http: COUNT_HTTP,
  errors: [...modelErrors, BodyIncomplete, BodyTooLarge, ModelNotFound],
  uses: countUses,
  handle: (query, refs, ctx, exchange) => countTokens(query, refs, ctx, exchange),
})
