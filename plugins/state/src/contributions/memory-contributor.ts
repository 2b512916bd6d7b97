import { type MemoryDocument, type MemoryOrigin, memoryContributor } from '@gateway/plugin-memory/api'
import { repoResolver } from '@gateway/plugin-repos/api'
import { contribute } from '@gateway/sdk'
import { type RepoState, type States, states } from '../api.ts'
import { documents, dueMirrors, handoffs, heads } from '../collections.ts'
import { forgetTexts, type TextUses } from '../operations/forget-text.ts'
import { handoffDocument } from '../operations/handoff-document.ts'
import { stampOfFile } from '../operations/read-file.ts'
import { ARCHIVE_FOLDER, FILE_NAMES } from '../rules/file-names.ts'
import type { FileKind } from '../schema.ts'

/** Maximum number of repos without a folder, and of the newest entries of each repo that are indexed. */
const MAX_REPOS = 1_000
const MAX_ENTRIES = 1_000

type Uses = TextUses & { readonly states: States }

/** Documents of the memory: the state file, the handoffs and the archive of each repo, with or without a folder here. */
export const memoryDocuments = contribute(memoryContributor, {
  uses: { states, documents, handoffs, heads, dueMirrors, resolver: repoResolver },
  create: (uses) => ({
    name: 'state',
    async origins(scope) {
      const repos = await uses.states.repos()
      const wanted = scope === 'all' ? [...repos, ...(await withoutFolder(repos, uses))] : repos.filter(({ isMaster }) => isMaster)
      return (await Promise.all(wanted.map((repo) => originsOf(repo, uses)))).flat()
    },
    async origin(path) {
      const { name, file, isArchive } = partsOf(path)
      const place = { ...(await uses.states.repo({ repo: name })), name }
      return isArchive ? archiveOrigin(place, file, uses) : fileOrigins(place, uses).find(({ origin }) => origin === path)
    },
    async forget(path, chunks) {
      await forgetTexts(
        path,
        chunks.map(({ content }) => content),
        uses,
      )
      const { folder } = await uses.states.repo({ repo: partsOf(path).name })
      return folder === undefined
    },
  }),
})

/** Splits the name of an origin: `web/STATE.md` and `web/archive/one.md` are of the repo `web`. */
function partsOf(path: string): { readonly name: string; readonly file: string; readonly isArchive: boolean } {
  const at = path.lastIndexOf('/')
  const [folder, file] = [path.slice(0, at), path.slice(at + 1)]
  const isArchive = folder.endsWith(`/${ARCHIVE_FOLDER}`) && !Object.values(FILE_NAMES).includes(file)
  return { name: isArchive ? folder.slice(0, -ARCHIVE_FOLDER.length - 1) : folder, file, isArchive }
}

interface Place {
  readonly name: string
  readonly folder?: string | undefined
}

/** Repos whose state or handoffs are in the store alone. */
async function withoutFolder(known: readonly Place[], { documents, heads }: Uses): Promise<readonly Place[]> {
  const names = new Set(known.map(({ name }) => name))
  const [noted, handed] = await Promise.all([documents.distinct('repo'), heads.find({ limit: MAX_REPOS })])
  const all = new Set([...noted, ...handed.items.map(({ repo }) => repo)])
  return [...all]
    .filter((name) => !names.has(name))
    .slice(0, MAX_REPOS)
    .map((name) => ({ name }))
}

async function originsOf(place: Place, uses: Uses): Promise<MemoryOrigin[]> {
  const { name, folder } = place
  const archives = folder === undefined ? [] : await uses.states.archives(name)
  return [...fileOrigins(place, uses), ...archives.map((file) => archiveOrigin(place, file, uses))]
}

function archiveOrigin(place: Place, file: string, { states }: Uses): MemoryOrigin {
  const read = () => states.archive(place.name, file)
  return fileOrigin(place, `${ARCHIVE_FOLDER}/${file}`, read, { source: 'archive', cut: 'sections' })
}

function fileOrigins(place: Place, uses: Uses): readonly MemoryOrigin[] {
  const { name } = place
  const read = (kind: FileKind) => () => uses.states.read(name, kind)
  return [
    fileOrigin(place, FILE_NAMES.state, read('state'), { source: 'state', cut: 'headings' }),
    {
      // Entries and session blocks are level-2 sections, each with its own date. An entry has the same section in the file.
      ...fileOrigin(place, FILE_NAMES.handoff, read('handoff'), { source: 'handoff', cut: 'sections' }, async () => {
        const { items } = await uses.handoffs.find({ where: { repo: name }, sort: { handoffId: -1 }, limit: MAX_ENTRIES })
        return items.toReversed().map(handoffDocument)
      }),
    },
  ]
}

function fileOrigin(
  { name, folder }: Place,
  path: string,
  read: () => Promise<RepoState | undefined>,
  as: Pick<MemoryDocument, 'source' | 'cut'>,
  more: () => Promise<readonly MemoryDocument[]> = async () => [],
): MemoryOrigin {
  return {
    origin: `${name}/${path}`,
    repo: name,
    async read() {
      const found = await read()
      const own = found === undefined ? [] : [{ ...as, repo: name, title: path, markdown: found.content, createdAt: found.updatedAt }]
      return [...own, ...(await more())]
    },
    // Without a folder nobody else writes it.
    stamp: async () => (folder === undefined ? undefined : stampOfFile(folder, path)),
  }
}
