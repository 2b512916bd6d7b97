import type { CommitChanges, Oid, Repository } from '@gateway/plugin-git/api'
import { defined, type Transaction } from '@gateway/sdk'
import { pinnedPath, readAtomPath, readStashPath } from '../rules/paths.ts'
import { applyNews, type FileNews, LAYOUT } from './apply.ts'
import type { Refs } from './refs.ts'
import { wordsOf } from './words.ts'

/** Texts that are read together, and how much of one. */
const TEXTS = 200
const MAX_TEXT = 4 * 1_024 * 1_024

/**
 * Bring a branch of the index in step with its ref: from the commit it was at, or, where that is no ancestor any more, from the
 * beginning. Runs in the tenant’s lane. Returns the number of atoms that came or went.
 */
export async function syncBranch(refs: Refs, repo: Repository, branch: string, tip: Oid, main: Oid | undefined): Promise<number> {
  const known = await refs.branches.get(branch)
  if (known?.tip === tip && known.layout === LAYOUT) return 0
  const goesOn = known?.layout === LAYOUT && (await isKnown(repo, known.tip, tip))
  if (known && !goesOn) await dropBranch(refs, branch)
  // What main knows is main’s; of a branch only what it adds.
  const from = goesOn ? known?.tip : branch === 'main' ? undefined : main
  let moved = 0
  for await (const commits of repo.history({ to: tip, ...defined({ from }) }))
    moved += await applyNews(refs, branch, await newsOf(repo, commits))
  await refs.branches.upsert({ branch, tip, layout: LAYOUT }, { set: { tip, layout: LAYOUT } })
  return moved
}

async function isKnown(repo: Repository, ancestor: Oid, of: Oid): Promise<boolean> {
  return (await repo.commit(ancestor)) !== undefined && repo.isAncestor(ancestor, of)
}

/** What the index wants of some commits, with the texts. */
async function newsOf(repo: Repository, commits: readonly CommitChanges[]): Promise<readonly FileNews[]> {
  const news = commits.flatMap(({ sha, changes }) =>
    changes.filter(({ path }) => isOurs(path)).map((change): FileNews => ({ change, commit: sha })),
  )
  const texts = new Map<Oid, string>()
  const wanted = [
    ...new Set(
      news.filter(({ change }) => change.status !== 'D' && pinnedPath(change.path) === undefined).map(({ change }) => change.blob),
    ),
  ]
  for (let at = 0; at < wanted.length; at += TEXTS) {
    const oids = wanted.slice(at, at + TEXTS)
    for (const [n, text] of (await repo.blobs(oids, MAX_TEXT)).entries()) texts.set(oids[n] as Oid, text ?? '')
  }
  return news.map((one) => ({ ...one, text: one.change.status === 'D' ? undefined : (texts.get(one.change.blob) ?? '') }))
}

const isOurs = (path: string): boolean => (readAtomPath(path) ?? readStashPath(path) ?? pinnedPath(path)) !== undefined

/** Everything the index has of a branch; with `tip` it stays known, as one that adds nothing up to there. */
export async function dropBranch(refs: Refs, branch: string, tip?: Oid): Promise<void> {
  await refs.atomically(async (tx) => {
    await dropWords(tx, refs, branch)
    for (const collection of [refs.atoms, refs.code, refs.namespaces, refs.pins, refs.branches])
      await (collection as typeof refs.branches).in(tx).deleteMany({ branch })
    if (branch === 'main') await refs.stashes.in(tx).deleteMany({})
    if (tip !== undefined) await refs.branches.in(tx).insert({ branch, tip, layout: LAYOUT })
  })
}

const PAGE = 1_000

async function dropWords(tx: Transaction, refs: Refs, branch: string): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await refs.atoms.in(tx).find({ where: { branch }, sort: { seq: -1 }, limit: PAGE, ...defined({ cursor }) })
    await wordsOf(refs)
      .in(tx)
      .remove(page.items.map(({ atomId }) => atomId))
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
