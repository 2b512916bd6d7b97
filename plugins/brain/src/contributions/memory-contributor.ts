import { memoryContributor } from '@gateway/plugin-memory/api'
import { contribute } from '@gateway/sdk'
import { brain } from '../api.ts'

/** The newest session atoms that `memory_reindex` reads; older ones are found by `brain_search`. */
const MOST_SESSIONS = 500

export const sessionAtoms = contribute(memoryContributor, {
  uses: { brain },
  create: ({ brain }) => ({
    name: 'brain',
    async origins() {
      const atoms = await brain.atoms({ kind: 'session' }, MOST_SESSIONS)
      return atoms.map((atom) => {
        const repo = atom.repo === undefined ? {} : { repo: atom.repo }
        return {
          // An atom is never rewritten: its path stands for its content.
          origin: atom.path,
          ...repo,
          async read() {
            const markdown = await brain.content(atom)
            if (markdown === undefined) return []
            return [{ ...repo, markdown, source: 'archive', title: atom.title, sessionId: atom.slug, createdAt: atom.at, cut: 'headings' }]
          },
        }
      })
    },
  }),
})
