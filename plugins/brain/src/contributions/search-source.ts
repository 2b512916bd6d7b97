import { contribute, searchSource } from '@gateway/sdk'
import { brainUses } from '../operations/refs.ts'
import { searchAtoms } from '../operations/search.ts'
import { view } from '../operations/view.ts'

/** Finds atoms as `brain_search` does; looking for one does not count as a recall. */
export const brainSearchHits = contribute(searchSource, {
  uses: brainUses,
  create: (refs, ctx) => ({
    kind: 'brain',
    async find(query, limit) {
      const seen = await view(refs, ctx)
      if (!seen) return []
      const { hits } = await searchAtoms(refs, seen, query, { candidates: limit * 3 })
      return hits.slice(0, limit).map(({ atom: { path, title, excerpt, at } }) => ({
        id: path,
        title,
        text: excerpt,
        at,
        link: { to: '/brain', with: { query } },
      }))
    },
  }),
})
