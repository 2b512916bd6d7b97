import type { PathChange } from '@gateway/plugin-git/api'
import type { Transaction } from '@gateway/sdk'
import { briefUri } from '../rules/brief-uri.ts'
import { MAIN } from '../rules/names.ts'
import { pinnedPath, readAtomPath, readStashPath } from '../rules/paths.ts'
import { type AtomDoc, atomId, indexed, stashed } from './documents.ts'
import type { Refs } from './refs.ts'
import { wordsOf } from './words.ts'

export interface FileNews {
  readonly change: PathChange
  readonly commit: string
  readonly text?: string | undefined
}

/** Files per transaction; other writes run between two of them. */
const AT_ONCE = 400
/** Rises when the indexed data of an atom changes: an index of another layout is rebuilt. */
export const LAYOUT = 5
const STATE = 'state'

/**
 * Applies files of a branch to the index, in order. Idempotent: present files stay and missing ones stay missing, so an index
 * left behind by a crash catches up from its position.
 */
export async function applyNews(refs: Refs, branch: string, news: readonly FileNews[]): Promise<number> {
  let moved = 0
  for (let at = 0; at < news.length; at += AT_ONCE)
    moved += await refs.atomically((tx) => applyIn(tx, refs, branch, news.slice(at, at + AT_ONCE)))
  return moved
}

/** Keeps the last entry for each path. */
function lastOf(news: readonly FileNews[]): readonly FileNews[] {
  return [...new Map(news.map((one) => [one.change.path, one])).values()]
}

export async function applyIn(tx: Transaction, refs: Refs, branch: string, all: readonly FileNews[]): Promise<number> {
  const news = lastOf(all)
  const arrived = news.filter(({ change, text }) => change.status !== 'D' && text !== undefined)
  const gone = news.filter(({ change }) => change.status === 'D').map(({ change }) => change.path)
  const removed = await removeAtoms(
    tx,
    refs,
    [...gone, ...arrived.filter(({ change }) => change.status !== 'A').map(({ change }) => change.path)]
      .filter(readAtomPath)
      .map((path) => atomId(branch, path)),
  )
  await applyPins(tx, refs, branch, news)
  const added = await addAtoms(tx, refs, branch, arrived)
  await applyStashes(tx, refs, branch, arrived, gone)
  await count(tx, refs, branch, added, removed)
  return added.length + removed.length
}

async function takeSeq(tx: Transaction, refs: Refs, count: number): Promise<number> {
  const after = await refs.state.in(tx).upsert({ id: STATE, seq: count }, { inc: { seq: count } })
  return after.seq - count + 1
}

async function addAtoms(tx: Transaction, refs: Refs, branch: string, arrived: readonly FileNews[]): Promise<readonly AtomDoc[]> {
  const files = arrived.filter(({ change }) => readAtomPath(change.path))
  if (files.length === 0) return []
  const paths = files.map(({ change }) => change.path)
  const [existing, pinned, recalled, forgotten] = [
    new Set((await refs.atoms.in(tx).getMany(paths.map((path) => atomId(branch, path)))).map(({ path }) => path)),
    new Set((await refs.pins.in(tx).getMany(paths)).map(({ path }) => path)),
    new Map((await refs.recalls.in(tx).getMany(paths)).map(({ path, count }) => [path, count])),
    new Set((await refs.forgotten.in(tx).getMany(paths)).map(({ path }) => path)),
  ]
  const fresh = files.filter(({ change }) => !existing.has(change.path) && !forgotten.has(change.path))
  if (fresh.length === 0) return []
  const seq = await takeSeq(tx, refs, fresh.length)
  const docs = fresh.flatMap(({ change: { path, blob }, commit, text = '' }, at) => {
    const made = indexed({ branch, path, blob, commit, text }, seq + at)
    return made ? [{ ...made, atom: { ...made.atom, pinned: pinned.has(path), recalls: recalled.get(path) ?? 0 } }] : []
  })
  await refs.atoms.in(tx).insertMany(docs.map(({ atom }) => atom))
  await wordsOf(refs)
    .in(tx)
    .put(
      docs.map(({ words }) => words),
      { apart: true },
    )
  const codes = docs.flatMap((doc) => doc.codes)
  for (let at = 0; at < codes.length; at += 1_000) await refs.code.in(tx).insertMany(codes.slice(at, at + 1_000))
  for (const { atom } of docs) if (atom.supersedes !== undefined) await mark(tx, refs, branch, atom.supersedes, { superseded: true })
  return docs.map(({ atom }) => atom)
}

async function removeAtoms(tx: Transaction, refs: Refs, ids: readonly string[]): Promise<readonly AtomDoc[]> {
  const removed: AtomDoc[] = []
  for (const id of ids) {
    const atom = await refs.atoms.in(tx).deleteOne(id)
    if (!atom) continue
    removed.push(atom)
    if (atom.codeShas.length > 0) await refs.code.in(tx).deleteMany({ atomId: id })
    if (atom.supersedes !== undefined) {
      const { branch, supersedes } = atom
      const others = await refs.atoms.in(tx).count({ branch, supersedes }, { max: 1 })
      await mark(tx, refs, branch, supersedes, { superseded: others > 0 })
    }
  }
  if (removed.length > 0)
    await wordsOf(refs)
      .in(tx)
      .remove(removed.map(({ atomId }) => atomId))
  return removed
}

async function applyPins(tx: Transaction, refs: Refs, branch: string, news: readonly FileNews[]): Promise<void> {
  for (const { change } of news) {
    const path = pinnedPath(change.path)
    if (path === undefined) continue
    const isPinned = change.status !== 'D'
    if (isPinned) await refs.pins.in(tx).upsert({ path, branch }, { set: { branch } })
    else await refs.pins.in(tx).deleteOne(path)
    await mark(tx, refs, branch, path, { pinned: isPinned })
  }
}

/** Marks on the branch, and on main if the branch only adds to it. */
async function mark(
  tx: Transaction,
  refs: Refs,
  branch: string,
  path: string,
  set: Partial<Pick<AtomDoc, 'pinned' | 'superseded'>>,
): Promise<void> {
  await refs.atoms.in(tx).updateOne(atomId(branch, path), { set })
  if (branch !== 'main' && set.pinned !== undefined) await refs.atoms.in(tx).updateOne(atomId('main', path), { set })
}

async function applyStashes(
  tx: Transaction,
  refs: Refs,
  branch: string,
  arrived: readonly FileNews[],
  gone: readonly string[],
): Promise<void> {
  for (const path of gone) if (readStashPath(path)) await refs.stashes.in(tx).deleteOne(path, { branch })
  for (const { change, text = '' } of arrived) {
    if (!readStashPath(change.path)) continue
    const stash = stashed({ ...change, text, branch }, await takeSeq(tx, refs, 1))
    // A stash that main has belongs to main, also where a branch has it.
    if (stash && (branch === MAIN || !(await refs.stashes.in(tx).get(stash.path))))
      await refs.stashes.in(tx).upsert(stash, { set: { blob: stash.blob, branch } })
  }
}

async function count(tx: Transaction, refs: Refs, branch: string, added: readonly AtomDoc[], removed: readonly AtomDoc[]): Promise<void> {
  const sums = new Map<string, { session: number; handoff: number; memory: number; newestAt: string }>()
  for (const [atoms, step] of [[added, 1] as const, [removed, -1] as const])
    for (const { namespace, kind, at } of atoms) {
      const sum = sums.get(namespace) ?? { session: 0, handoff: 0, memory: 0, newestAt: '' }
      sum[kind] += step
      if (step === 1 && at > sum.newestAt) sum.newestAt = at
      sums.set(namespace, sum)
    }
  for (const [namespace, { newestAt, ...inc }] of sums) {
    const doc = { namespaceId: atomId(branch, namespace), branch, namespace, ...inc, newestAt }
    await refs.namespaces.in(tx).upsert(doc, { inc, ...(newestAt !== '' && { max: { newestAt } }) })
    if (namespace !== '') tx.afterCommit(() => refs.updated.emit({ uri: briefUri(namespace) }))
  }
}

/** Removes atoms from the index of every branch, and keeps a tombstone of each, so that no sync brings it back. */
export async function forgetIn(tx: Transaction, refs: Refs, atoms: readonly AtomDoc[]): Promise<void> {
  const at = tx.now.toISOString()
  for (const { path, sha8 } of atoms) {
    await refs.forgotten.in(tx).upsert({ path, at }, { set: { at } })
    const { items } = await refs.atoms.in(tx).find({ where: { sha8 }, limit: MAX_BRANCHES })
    for (const { branch, atomId } of items.filter((one) => one.path === path))
      await count(tx, refs, branch, [], await removeAtoms(tx, refs, [atomId]))
  }
}
/** Maximum number of branches that have the same atom, and of others with its sha8. */
const MAX_BRANCHES = 1_000
