import { chunkKeeper } from '@gateway/plugin-memory/api'
import { contribute } from '@gateway/sdk'
import { latestAtoms } from '../operations/latest.ts'
import { brainUses } from '../operations/refs.ts'
import { searchAtoms } from '../operations/search.ts'
import { view } from '../operations/view.ts'

/** Candidates per result; the brain's own data can change their order. */
const CANDIDATES_EACH = 5

/** `memory_search` with source `brain`: the atoms on main and the current branch. A topic is a tag. */
export const atomsOfBrain = contribute(chunkKeeper, {
  uses: brainUses,
  create: (refs, ctx) => ({
    source: 'brain' as const,
    async search({ query = '', repo, tags, since, limit = 10 }) {
      const seen = await view(refs, ctx)
      if (!seen) return { mode: 'lexical', hits: [] }
      const asked = { namespace: repo, topics: tags, since, candidates: limit * CANDIDATES_EACH }
      const { hits, ...how } =
        query.trim() === '' ? await latestAtoms(refs, seen, asked, limit) : await searchAtoms(refs, seen, query, asked)
      return {
        ...how,
        hits: hits.slice(0, limit).map(({ atom, text, score, foundBy }) => ({
          chunkId: atom.path,
          content: text,
          ...(atom.namespace !== '' && { repo: atom.namespace }),
          tags: [atom.topic],
          title: atom.title,
          createdAt: atom.at,
          score,
          foundBy,
        })),
      }
    },
  }),
})
