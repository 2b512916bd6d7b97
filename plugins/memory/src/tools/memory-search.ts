import { closed, defineTool, Type } from '@gateway/sdk'
import { requireSubject, searchAnswer, searchArguments, searchOutput } from '../operations/search-arguments.ts'
import { searchSources } from '../operations/search-sources.ts'
import { searchUses } from '../operations/uses.ts'

export const memorySearch = defineTool({
  name: 'memory_search',
  description:
    'Search the memory of all repos by meaning and words: state, handoffs, commits, pull requests, patterns, bugs. Needs a query or tags; tags alone give the newest. Returns chunks with score and the lists that found them.',
  capability: 'read',
  effect: 'read',
  listing: 'core',
  input: Type.Object(searchArguments, closed),
  output: searchOutput,
  uses: searchUses,
  check: ({ query, tags }) => requireSubject(query, tags),
  handle: async (args, uses, ctx) => searchAnswer(await searchSources(args, uses, ctx)),
})
