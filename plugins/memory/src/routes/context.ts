import { closed, defineRoute, Type } from '@gateway/sdk'
import { assembleContext } from '../operations/context.ts'
import { contextAnswer, contextOutput } from '../operations/context-answer.ts'
import { queryArgument, requireSubject } from '../operations/search-arguments.ts'
import { searchUses } from '../operations/uses.ts'
import { tagsArgument } from '../schema.ts'

export const contextRoute = defineRoute({
  name: 'memory.context',
  description:
    'Assemble the knowledge about a query as one Markdown block of at most maxTokens. Returns {context, chunks, estimatedTokens, truncated, mode}.',
  capability: 'read',
  effect: 'read',
  rest: 'POST /api/memory/context',
  input: Type.Object(
    {
      query: { ...queryArgument, minLength: 1 },
      tags: Type.Optional(tagsArgument),
      maxTokens: Type.Integer({ minimum: 1, maximum: 50_000, default: 4_000, description: 'Counted at four characters per token.' }),
    },
    closed,
  ),
  output: contextOutput,
  uses: searchUses,
  async handle(request, uses, ctx) {
    requireSubject(request.query, undefined)
    return contextAnswer(await assembleContext(request, uses, ctx))
  },
})
