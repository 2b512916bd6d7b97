import type { DiffQuery, GraphQuery, LogQuery, Oid, PushedReading, PushedRef, Quarantine, Write } from '../api.ts'
import { isOid, isPath, isPrefix } from '../rules/names.ts'
import { pushFacts } from './push-facts.ts'
import { pushedCommits, pushedText } from './pushed-commits.ts'
import { changed, changes, check, diff, graph, history, isAncestor, list, log } from './reads.ts'
import type { OpenRepository } from './repository.ts'
import { branchChanges, diffNames, lastCommit, status, workLog } from './work-tree.ts'

const MAX_BLOBS = 1_000
const MAX_PATHS = 10_000

export const operations = {
  create: (repository: OpenRepository) => repository.create(),
  remove: (repository: OpenRepository) => repository.remove(),
  tips: (repository: OpenRepository, refs: readonly string[]) => repository.tips(refs),
  refs: (repository: OpenRepository) => repository.refs(),
  write: (repository: OpenRepository, write: Write) => repository.write(write),
  mergeTree: (repository: OpenRepository, ours: Oid, theirs: Oid) => repository.mergeTree(ours, theirs),
  usage: (repository: OpenRepository) => repository.usage(),
  sweep: (repository: OpenRepository) => repository.sweep(),
  log: (repository: OpenRepository, query: LogQuery) => log(repository, query),
  graph: (repository: OpenRepository, query: GraphQuery) => graph(repository, query),
  changes: (repository: OpenRepository, query: LogQuery) => changes(repository, query),
  changed: (repository: OpenRepository, commit: Oid) => changed(repository, commit),
  isAncestor: (repository: OpenRepository, ancestor: Oid, of: Oid) => isAncestor(repository, ancestor, of),
  list: (repository: OpenRepository, commit: Oid, folder: string, limit: number) => list(repository, commit, folder, limit),
  diff: (repository: OpenRepository, query: DiffQuery) => diff(repository, query),
  check: (repository: OpenRepository) => check(repository),
  pushFacts: (repository: OpenRepository, refs: readonly PushedRef[], quarantine: Quarantine) => pushFacts(repository, refs, quarantine),

  pushedText: (repository: OpenRepository, oid: Oid, quarantine: Quarantine, maxBytes: number) =>
    pushedText(repository, oid, quarantine, maxBytes),

  async commit({ objects }: OpenRepository, prefix: string) {
    if (!isPrefix(prefix)) return undefined
    const found = await objects.info(prefix)
    return found?.type === 'commit' ? found.oid : undefined
  },
  async file({ objects }: OpenRepository, commit: Oid, path: string, maxBytes: number) {
    if (!isOid(commit) || !isPath(path)) return undefined
    const found = await objects.contents(`${commit}:${path}`, maxBytes)
    return found?.type === 'blob' ? found.content?.toString() : undefined
  },
  blobs: ({ objects }: OpenRepository, oids: readonly Oid[], maxBytes: number) =>
    Promise.all(
      oids.slice(0, MAX_BLOBS).map(async (oid) => {
        const found = isOid(oid) ? await objects.contents(oid, maxBytes) : undefined
        return found?.type === 'blob' ? found.content?.toString() : undefined
      }),
    ),
  entries: ({ objects }: OpenRepository, commit: Oid, paths: readonly string[]) =>
    Promise.all(
      paths
        .slice(0, MAX_PATHS)
        .map(async (path) => (isOid(commit) && isPath(path) ? (await objects.info(`${commit}:${path}`))?.oid : undefined)),
    ),
} as const

/** Operations whose answer comes in pieces. */
export const inPieces = {
  history: (repository: OpenRepository, query: Omit<LogQuery, 'limit'>) => history(repository, query),
  pushedCommits: (repository: OpenRepository, refs: readonly PushedRef[], quarantine: Quarantine, reading: PushedReading) =>
    pushedCommits(repository, refs, quarantine, reading),
} as const

export const onWorkTrees = { status, workLog, lastCommit, diffNames, branchChanges } as const
