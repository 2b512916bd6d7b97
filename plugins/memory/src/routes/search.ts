import { closed, defineRoute, Type } from '@gateway/sdk'
import { queryArgument, requireSubject, searchAnswer, searchArguments, searchOutput } from '../operations/search-arguments.ts'
import { searchSources } from '../operations/search-sources.ts'
import { searchUses } from '../operations/uses.ts'
import { tagsArgument } from '../schema.ts'

export const searchRoute = defineRoute({
  name: 'memory.search',
  description: 'Search the memory by a query, by tags, or both. Returns {count, results, mode}.',
  capability: 'read',
  effect: 'read',
  rest: 'POST /api/memory/search',
  input: Type.Object({ query: Type.Optional(queryArgument), tags: Type.Optional(tagsArgument), topN: searchArguments.limit }, closed),
  output: searchOutput,
  uses: searchUses,
  async handle({ query, tags, topN }, uses, ctx) {
    requireSubject(query, tags)
    return searchAnswer(await searchSources({ query, tags, limit: topN }, uses, ctx))
  },
})
