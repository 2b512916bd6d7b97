import { closed, defineTool, Type } from '@gateway/sdk'
import { assembleContext } from '../operations/context.ts'
import { contextAnswer, contextOutput, DEFAULT_MAX_TOKENS } from '../operations/context-answer.ts'
import { queryArgument } from '../operations/search-arguments.ts'
import { searchUses } from '../operations/uses.ts'
import { repoArgument } from '../schema.ts'

export const memoryContext = defineTool({
  name: 'memory_context',
  description:
    'Get one Markdown block to begin work with: recent state of a repo, its handoff, related patterns. With a query, what is nearest to it of each. Returns {context, chunks, estimatedTokens}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      repo: Type.Optional(repoArgument),
      query: Type.Optional({ ...queryArgument, description: 'Topic of the work.' }),
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 5, description: 'Chunks per source.' }),
    },
    closed,
  ),
  output: contextOutput,
  uses: searchUses,
  async handle(request, uses, ctx) {
    return contextAnswer(await assembleContext({ ...request, maxTokens: DEFAULT_MAX_TOKENS }, uses, ctx))
  },
})
