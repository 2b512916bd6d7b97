import { modelErrors } from '@gateway/plugin-providers/api'
import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { BodyIncomplete, BodyTooLarge, ModelNotFound } from '../errors.ts'
import { serve, serveUses } from '../operations/serve.ts'
import { IDLE_MS, MODEL_HTTP, query } from '../schema.ts'

export const embeddings = defineRawRoute({
  name: 'model-endpoint.embeddings',
  description: 'Answers an embeddings call in the format that its clients expect, streamed or in one piece.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /v1/embeddings',
  idleMs: IDLE_MS,
  credential: 'caller',
  input: Type.Object(query, closed),
  http: MODEL_HTTP,
  errors: [...modelErrors, BodyIncomplete, BodyTooLarge, ModelNotFound],
  uses: serveUses,
  handle: (query, refs, ctx, exchange) => serve('embeddings', query, refs, ctx, exchange),
})
