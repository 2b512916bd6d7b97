import { closed, defineRoute, Type } from '@gateway/sdk'
import { queryArgument, requireSubject, searchAnswer, searchArguments, searchOutput } from '../operations/search-arguments.ts'
import { searchSources } from '../operations/search-sources.ts'
import { searchUses } from '../operations/uses.ts'

export const vectorsSearchRoute = defineRoute({
  name: 'memory.vectors-search',
  description: 'Search the memory by a query, with the arguments of memory_search. Returns {count, results, mode}.',
  capability: 'read',
  effect: 'read',
  rest: 'POST /api/vectors/search',
  input: Type.Object({ ...searchArguments, query: { ...queryArgument, minLength: 1 } }, closed),
  output: searchOutput,
  uses: searchUses,
  async handle(args, uses, ctx) {
    requireSubject(args.query, undefined)
    return searchAnswer(await searchSources(args, uses, ctx))
  },
})
