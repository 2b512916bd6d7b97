import { type ChunkQuery, chunkKeeper } from '@gateway/plugin-memory/api'
import { contribute, type Infer } from '@gateway/sdk'
import type { atoms } from '../collections.ts'
import { forgetAtom, forgetAtoms, forgetUses } from '../operations/forget.ts'
import { latestAtoms } from '../operations/latest.ts'
import { pinWeight, searchAtoms } from '../operations/search.ts'
import { view } from '../operations/view.ts'
import { PAST_SESSION, visibleTags } from '../operations/words.ts'

/** Candidates per result; the brain's own data can change their order. */
const CANDIDATES_EACH = 5

/**
 * The atoms on main and on the caller's current branch, for searches of the memory: by source `brain`, and together with chunks. A
 * topic is a tag.
 */
export const atomsOfBrain = contribute(chunkKeeper, {
  uses: forgetUses,
  create: (refs, ctx) => ({
    source: 'brain' as const,
    async search({ query = '', repo, tags, sessions, since, limit = 10 }) {
      const seen = await view(refs, ctx)
      if (!seen) return { mode: 'lexical', hits: [] }
      const asked = { namespace: repo, topics: tags, sessions, since, candidates: limit * CANDIDATES_EACH }
      const { hits, ...how } =
        query.trim() === '' ? await latestAtoms(refs, seen, asked, limit) : await searchAtoms(refs, seen, query, asked)
      return {
        ...how,
        hits: hits.slice(0, limit).map(({ atom, text, score, foundBy }) => ({ ...chunkOf(atom), content: text, score, foundBy })),
      }
    },
    together: {
      corpus: 'brain',
      async scope({ repo, tags = [], sessions }: ChunkQuery) {
        const seen = await view(refs, ctx)
        if (!seen) return undefined
        return { tags: [...tags, ...(sessions ? [PAST_SESSION] : [])], anyTag: visibleTags(seen.visible, repo) }
      },
      async chunks(ids: readonly string[]) {
        return new Map((await refs.atoms.getMany(ids)).map((atom) => [atom.atomId, { ...chunkOf(atom), weight: pinWeight(atom) }]))
      },
    },
    forgetOne: (path) => forgetAtom(refs, ctx, path),
    forget: (filter, preview) => forgetAtoms(refs, ctx, filter, preview),
  }),
})

function chunkOf(atom: Infer<typeof atoms.schema>) {
  const { path, namespace, topic, title, at, kind, slug, superseded, writer } = atom
  return {
    chunkId: path,
    ...(namespace !== '' && { repo: namespace }),
    tags: [topic],
    ...(kind === 'session' && { sessionId: slug }),
    title,
    createdAt: at,
    ...(superseded && { superseded }),
    // An atom that another tenant wrote is text from outside.
    ...(writer !== undefined && { origin: `tenant ${writer}`, trust: 'outside' as const }),
  }
}
