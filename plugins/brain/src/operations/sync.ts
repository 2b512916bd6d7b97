import type { CommitChanges, Oid, Repository } from '@gateway/plugin-git/api'
import { defined, pages, type Transaction } from '@gateway/sdk'
import { MAIN } from '../rules/names.ts'
import { pinnedPath, readAtomPath, readStashPath } from '../rules/paths.ts'
import { applyNews, type FileNews, LAYOUT } from './apply.ts'
import { atomId } from './documents.ts'
import { BrainElsewhere } from './elsewhere.ts'
import type { Refs } from './refs.ts'
import { wordsOf } from './words.ts'

/** Number of texts read per batch, and the size limit of each. */
const TEXTS = 200
const MAX_TEXT = 4 * 1_024 * 1_024

/**
 * Brings the index of a branch up to its ref: from the indexed commit, or, if that is no longer an ancestor, from the
 * beginning. Runs in the tenant's sequence. Returns the number of atoms added or removed. Throws UNAVAILABLE if the repository
 * lacks the indexed commit of main: it is another one.
 */
export async function syncBranch(refs: Refs, repo: Repository, branch: string, tip: Oid, main: Oid | undefined): Promise<number> {
  const known = await refs.branches.get(branch)
  if (known?.tip === tip && known.layout === LAYOUT) return 0
  const hasIndexed = known !== undefined && (await repo.commit(known.tip)) !== undefined
  if (known && !hasIndexed && branch === MAIN) throw BrainElsewhere()
  const goesOn = hasIndexed && known.layout === LAYOUT && (await repo.isAncestor(known.tip, tip))
  if (known && !goesOn) await dropBranch(refs, branch)
  // Files known to main belong to main; a branch has only its additions.
  const from = goesOn ? known?.tip : branch === MAIN ? undefined : main
  let moved = 0
  const paths = new Set<string>()
  const merges: CommitChanges[] = []
  for await (const commits of repo.history({ to: tip, ...defined({ from }) })) {
    const news = await newsOf(repo, commits)
    moved += await applyNews(refs, branch, news)
    for (const { change } of news) paths.add(change.path)
    merges.push(...commits.filter(({ parents }) => parents.length > 1))
  }
  if (merges.length > 0) moved += await settleMerges(refs, repo, branch, tip, [...paths])
  await refs.atomically(async (tx) => {
    const before = await refs.branches.in(tx).get(branch)
    // Another node has carried the index on meanwhile and reported its merges. The next one goes on from its tip.
    if (before?.tip !== (goesOn ? known?.tip : undefined)) return
    await refs.branches.in(tx).upsert({ branch, tip, layout: LAYOUT }, { set: { tip, layout: LAYOUT } })
    // An index that is rebuilt has reported its merges before.
    if (branch === MAIN && goesOn) await publishMerges(refs, merges, tx)
  })
  return moved
}

/** Limit of merges reported at once: those of a large push would be too much for one transaction. */
const MAX_TOLD = 100

/** Tells of branches that were merged. Git has the merge before the index does, so a kill between the two delays the event only. */
async function publishMerges(refs: Refs, merges: readonly CommitChanges[], tx: Transaction): Promise<void> {
  for (const { sha, subject, at } of merges.slice(-MAX_TOLD)) await refs.merged.emit({ branch: mergedBranch(subject), commit: sha, at }, tx)
}

/** The branch that a merge names: of the gateway’s own merges and of git’s, else the whole subject. */
function mergedBranch(subject: string): string {
  const [, named] = /^merge (?:(?:remote-tracking )?branch )?'?([^\s']+)'?/i.exec(subject) ?? []
  return named ?? subject.slice(0, 200)
}

/**
 * If one side of a merge added a file and the other removed it, the order of commits does not say which side was kept: the tree
 * does. A history without merges needs no check.
 */
async function settleMerges(refs: Refs, repo: Repository, branch: string, tip: Oid, paths: readonly string[]): Promise<number> {
  let moved = 0
  for (let at = 0; at < paths.length; at += TEXTS) {
    const some = paths.slice(at, at + TEXTS)
    const blobs = await repo.entries(tip, some)
    const known = new Set((await refs.atoms.getMany(some.map((path) => atomId(branch, path)))).map(({ path }) => path))
    const stored = some.flatMap((path, n) => (blobs[n] === undefined || known.has(path) ? [] : [{ path, blob: blobs[n] as Oid }]))
    const texts = await textsOf(
      repo,
      stored.map(({ blob }) => blob),
    )
    moved += await applyNews(refs, branch, [
      ...some.filter((_, n) => blobs[n] === undefined).map((path) => ({ change: { status: 'D' as const, path, blob: '' }, commit: tip })),
      ...stored.map(({ path, blob }) => ({ change: { status: 'A' as const, path, blob }, commit: tip, text: texts.get(blob) ?? '' })),
    ])
  }
  return moved
}

async function newsOf(repo: Repository, commits: readonly CommitChanges[]): Promise<readonly FileNews[]> {
  const news = commits.flatMap(({ sha, changes }) =>
    changes.filter(({ path }) => isOurs(path)).map((change): FileNews => ({ change, commit: sha })),
  )
  const texts = await textsOf(
    repo,
    news.filter(({ change }) => change.status !== 'D' && pinnedPath(change.path) === undefined).map(({ change }) => change.blob),
  )
  return news.map((one) => ({ ...one, text: one.change.status === 'D' ? undefined : (texts.get(one.change.blob) ?? '') }))
}

async function textsOf(repo: Repository, blobs: readonly Oid[]): Promise<ReadonlyMap<Oid, string>> {
  const texts = new Map<Oid, string>()
  const wanted = [...new Set(blobs)]
  for (let at = 0; at < wanted.length; at += TEXTS) {
    const oids = wanted.slice(at, at + TEXTS)
    for (const [n, text] of (await repo.blobs(oids, MAX_TEXT)).entries()) texts.set(oids[n] as Oid, text ?? '')
  }
  return texts
}

const isOurs = (path: string): boolean => (readAtomPath(path) ?? readStashPath(path) ?? pinnedPath(path)) !== undefined

/** Drops the index of a branch; with `tip` the branch stays known, without additions up to that commit. */
export async function dropBranch(refs: Refs, branch: string, tip?: Oid): Promise<void> {
  await refs.atomically(async (tx) => {
    await dropWords(tx, refs, branch)
    for (const collection of [refs.atoms, refs.code, refs.namespaces, refs.pins, refs.stashes, refs.branches])
      await (collection as typeof refs.branches).in(tx).deleteMany({ branch })
    if (tip !== undefined) await refs.branches.in(tx).insert({ branch, tip, layout: LAYOUT })
  })
}

const PAGE = 1_000

async function dropWords(tx: Transaction, refs: Refs, branch: string): Promise<void> {
  for await (const atoms of pages(refs.atoms.in(tx), { where: { branch }, sort: { seq: -1 }, limit: PAGE })) {
    await wordsOf(refs)
      .in(tx)
      .remove(atoms.map(({ atomId }) => atomId))
  }
}
