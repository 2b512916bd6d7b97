import { modelErrors } from '@gateway/plugin-providers/api'
import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { BodyIncomplete, BodyTooLarge, ModelNotFound } from '../errors.ts'
import { serve, serveUses } from '../operations/serve.ts'
import { IDLE_MS, MODEL_HTTP, query } from '../schema.ts'

export const chatCompletions = defineRawRoute({
  name: 'model-endpoint.chat',
  description: 'Answers a chat completions call in the format that its clients expect, streamed or in one piece.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /v1/chat/completions',
  idleMs: IDLE_MS,
  credential: 'caller',
  input: Type.Object(query, closed),
  http: MODEL_HTTP,
  errors: [...modelErrors, BodyIncomplete, BodyTooLarge, ModelNotFound],
  uses: serveUses,
  handle: (query, refs, ctx, exchange) => serve('chat', query, refs, ctx, exchange),
})
