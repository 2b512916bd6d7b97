import { memoryContributor } from '@gateway/plugin-memory/api'
import { contribute } from '@gateway/sdk'
import { brain } from '../api.ts'

/** Maximum number of newest session atoms that `memory_reindex` reads; `brain_search` finds older ones. */
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
          // An atom is never rewritten, so its path identifies its content.
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
