import { closed, Type } from '@gateway/sdk'
import type { MemoryContext } from '../api.ts'
import { modelField } from './search-arguments.ts'

export const contextOutput = Type.Object(
  {
    context: Type.String({ description: 'Markdown, ready to inject; empty when nothing is known.' }),
    chunks: Type.Integer(),
    estimatedTokens: Type.Integer({ description: 'Estimated at four characters per token.' }),
    truncated: Type.Boolean(),
    mode: Type.Enum(['latest', 'lexical', 'hybrid'], { type: 'string' }),
    model: modelField,
  },
  closed,
)

export function contextAnswer({ markdown: context, ...rest }: MemoryContext) {
  return { context, ...rest }
}

/** Default of the tool without a given limit: fits an agent's context and an answer. */
export const DEFAULT_MAX_TOKENS = 20_000
