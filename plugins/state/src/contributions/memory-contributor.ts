import { type MemoryDocument, type MemoryOrigin, memoryContributor } from '@gateway/plugin-memory/api'
import { contribute } from '@gateway/sdk'
import { type RepoState, type States, states } from '../api.ts'

/** Documents for `memory_reindex`: the state file, the handoff file and the archive of each repo with a folder here. */
export const memoryDocuments = contribute(memoryContributor, {
  uses: { states },
  create: ({ states }) => ({
    name: 'state',
    async origins(scope) {
      const repos = await states.repos()
      const wanted = scope === 'all' ? repos : repos.filter(({ isMaster }) => isMaster)
      const found = await Promise.all(wanted.map(({ name }) => originsOf(name, states)))
      return found.flat()
    },
  }),
})

async function originsOf(repo: string, states: States): Promise<MemoryOrigin[]> {
  const file = (path: string, read: () => Promise<RepoState | undefined>, as: Pick<MemoryDocument, 'source' | 'cut'>): MemoryOrigin => ({
    origin: `${repo}/${path}`,
    repo,
    async read() {
      const found = await read()
      return found === undefined ? [] : [{ ...as, repo, title: path, markdown: found.content, createdAt: found.updatedAt }]
    },
  })
  const archives = await states.archives(repo)
  return [
    file('STATE.md', () => states.read(repo, 'state'), { source: 'state', cut: 'headings' }),
    // Entries and session blocks are level-2 sections, each with its own date.
    file('HANDOFF.md', () => states.read(repo, 'handoff'), { source: 'handoff', cut: 'sections' }),
    ...archives.map((name) => file(`archive/${name}`, () => states.archive(repo, name), { source: 'archive', cut: 'sections' })),
  ]
}
