import type { FileChange, Oid, Repository } from '@gateway/plugin-git/api'
import type { ForgetFilter } from '@gateway/plugin-memory/api'
import { type Resolved, storeFiles } from '@gateway/sdk'
import { MAIN } from '../rules/names.ts'
import { pinPath, readAtomPath } from '../rules/paths.ts'
import { forgetIn } from './apply.ts'
import { change } from './change.ts'
import { compiledFiles } from './compiled.ts'
import { type AtomDoc, atomId, indexed } from './documents.ts'
import { brainUses, type Caller, type Refs } from './refs.ts'
import { type View, view } from './view.ts'
import { visibleTags, wordsOf } from './words.ts'

export const forgetUses = { ...brainUses, storeFiles }
type ForgetRefs = Resolved<typeof forgetUses>

/** Atoms per commit; a preview counts at most `MAX_COUNTED` of a question. */
const STEP = 100
const MAX_COUNTED = 1_000

/** Forgets visible atoms that meet all conditions, or with `preview` counts them. */
export async function forgetAtoms(refs: ForgetRefs, caller: Caller, filter: ForgetFilter, preview: boolean): Promise<number> {
  const seen = await view(refs, caller)
  if (!seen) return 0
  if (preview) return (await matching(refs, seen, filter, MAX_COUNTED)).length
  for (let forgotten = 0; ; ) {
    const atoms = await matching(refs, seen, filter, STEP)
    if (atoms.length === 0) return forgotten
    await forgetThese(refs, caller, atoms)
    forgotten += atoms.length
  }
}

/** Forgets the atom of a path; false when the caller sees none. */
export async function forgetAtom(refs: ForgetRefs, caller: Caller, path: string): Promise<boolean> {
  const seen = await view(refs, caller)
  if (!seen) return false
  const [known] = await refs.atoms.getMany(seen.visible.map((branch) => atomId(branch, path)))
  const atom = known ?? (await leftBehind(refs, seen, path))
  if (atom) await forgetThese(refs, caller, [atom])
  return atom !== undefined
}

/** Returns a forgotten atom whose file a visible branch has all the same, such as one that a push brought back. */
async function leftBehind(refs: Refs, { repo, current, head, main }: View, path: string): Promise<AtomDoc | undefined> {
  if (!readAtomPath(path) || !(await refs.forgotten.get(path))) return undefined
  const [own, merged] = [await repo.file(head, path), await repo.file(main, path)]
  const text = merged ?? own
  const branch = merged === undefined ? current : MAIN
  return text === undefined ? undefined : indexed({ branch, path, blob: '', commit: '', text }, 0)?.atom
}

async function matching(refs: Refs, { visible }: View, filter: ForgetFilter, limit: number): Promise<readonly AtomDoc[]> {
  const { query, repo, tags = [], before } = filter
  const [topic, ...more] = new Set(tags)
  if (more.length > 0) return []
  const fits = (atom: AtomDoc): boolean =>
    (repo === undefined || atom.namespace === repo) &&
    (topic === undefined || atom.topic === topic) &&
    (before === undefined || atom.at < before)
  const found =
    query === undefined
      ? await Promise.all(visible.map((branch) => listed(branch)))
      : [
          await refs.atoms.getMany(
            (await wordsOf(refs).search({ query, all: true, anyTag: visibleTags(visible), limit: MAX_COUNTED })).hits.map(({ id }) => id),
          ),
        ]
  const all = new Map(
    found
      .flat()
      .filter(fits)
      .map((atom) => [atom.path, atom]),
  )
  return [...all.values()].slice(0, limit)

  async function listed(branch: string): Promise<readonly AtomDoc[]> {
    const where = { branch, ...(repo !== undefined && { namespace: repo }), ...(topic !== undefined && { topic }) }
    const time = before === undefined ? {} : { at: { lt: before } }
    return (await refs.atoms.find({ where: { ...where, ...time }, limit })).items
  }
}

/**
 * First the answers that keys keep, then a commit on each visible branch that removes the files and compiles the briefs again, and
 * last the index and the tombstones: until then the atoms are found, so that an interrupted call can be repeated. Main comes last
 * for the same reason. The history keeps the files.
 */
async function forgetThese(refs: ForgetRefs, caller: Caller, atoms: readonly AtomDoc[]): Promise<void> {
  await refs.storeFiles.withdrawAnswers(
    caller.tenantId,
    atoms.flatMap(({ title, path }) => [title, path]),
  )
  await refs.storeFiles.scrubAtNextStart()
  const paths = atoms.flatMap(({ path }) => [path, pinPath(path)])
  const namespaces = [...new Set(atoms.map(({ namespace }) => namespace).filter((one) => one !== ''))]
  const settled = (some: readonly AtomDoc[]) => (): Promise<void> => refs.atomically((tx) => forgetIn(tx, refs, some))
  await change(refs, caller, async (seen) => {
    if (seen.current === MAIN) return { result: () => undefined }
    const settle = settled(atoms.filter(({ branch }) => branch === seen.current))
    const removed = await stored(seen.repo, seen.head, paths)
    return { ...(removed.length > 0 && { branch: seen.current, ...removal(removed) }), settle, result: () => undefined }
  })
  await change(refs, caller, async (seen) => {
    const settle = settled(atoms)
    const removed = await stored(seen.repo, seen.main, paths)
    if (removed.length === 0) return { settle, result: () => undefined }
    const compiled = await compiledFiles(refs, seen, namespaces, { added: [], removed: new Set(removed) })
    return { branch: MAIN, ...removal(removed, compiled), settle, result: () => undefined }
  })
}

async function stored(repo: Repository, commit: Oid, paths: readonly string[]): Promise<readonly string[]> {
  const blobs = await repo.entries(commit, paths)
  return paths.filter((_, n) => blobs[n] !== undefined)
}

const removal = (paths: readonly string[], compiled: readonly FileChange[] = []) => ({
  message: `forget ${paths.filter(readAtomPath).length} atoms\n`,
  files: [...paths.map((path) => ({ path, removed: true as const })), ...compiled],
})
