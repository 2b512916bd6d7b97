import { repoFolders, repoResolver } from '@gateway/plugin-repos/api'
import { provide } from '@gateway/sdk'
import { type FileKind, type StateRepo, states } from '../api.ts'
import { documents, handoffs, heads } from '../collections.ts'
import { archivesOf, readArchive } from '../operations/archives.ts'
import { documentOf } from '../operations/document-of.ts'
import { handoffNotes } from '../operations/handoff-notes.ts'
import { latestPerRepo } from '../operations/read-handoffs.ts'
import { sectionNamed } from '../rules/section-named.ts'

export const stateProvider = provide(states, {
  uses: { documents, handoffs, heads, folders: repoFolders, resolver: repoResolver },
  create({ documents, handoffs, heads, folders, resolver }, ctx) {
    const folderOf = async (repo: string): Promise<string | undefined> => (await resolver.resolve({ repo })).folder
    const read = async (repo: string, file: FileKind) => {
      const { document } = await documentOf({ repo, file }, { documents, resolver }, ctx)
      return document.read()
    }
    return {
      repo: (clue = {}, purpose): Promise<StateRepo> => resolver.resolve(clue, purpose),
      repos: () => folders.all(),
      read,
      handoffNotes: async (repo) => handoffNotes(await read(repo, 'handoff'), await folderOf(repo)),
      async archives(repo) {
        const folder = await folderOf(repo)
        return folder === undefined ? [] : archivesOf(folder)
      },
      async archive(repo, name) {
        const folder = await folderOf(repo)
        const found = folder === undefined ? undefined : await readArchive(folder, name)
        return found && { content: found.text, updatedAt: found.updatedAt }
      },
      section: sectionNamed,
      async latestHandoff(repo) {
        const head = await heads.get(repo)
        return head && handoffs.get(head.latest)
      },
      latestHandoffs: (limit) => latestPerRepo(limit, { handoffs, heads }),
      async searchHandoffs({ text, repo, limit }) {
        const hits = await handoffs.search({ text, where: repo === undefined ? {} : { repo }, limit })
        return hits.map(({ item }) => item)
      },
    }
  },
})
