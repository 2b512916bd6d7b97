import type { ForgetFilter } from '@gateway/plugin-memory/api'
import { type Resolved, storeFiles } from '@gateway/sdk'
import { MAIN } from '../rules/names.ts'
import { briefPath } from '../rules/paths.ts'
import { forgetIn } from './apply.ts'
import { change } from './change.ts'
import { compiledFiles } from './compiled.ts'
import type { AtomDoc } from './documents.ts'
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
  const [atom] = seen ? await refs.atoms.getMany(seen.visible.map((branch) => `${branch} ${path}`)) : []
  if (atom) await forgetThese(refs, caller, [atom])
  return atom !== undefined
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
 * First the answers that keys keep, then the index and its tombstones, then a commit on each visible branch that removes the
 * files and compiles the briefs again. The history keeps them.
 */
async function forgetThese(refs: ForgetRefs, caller: Caller, atoms: readonly AtomDoc[]): Promise<void> {
  await refs.storeFiles.withdrawAnswers(
    caller.tenantId,
    atoms.flatMap(({ title, path }) => [title, path]),
  )
  await refs.atomically((tx) => forgetIn(tx, refs, atoms))
  const namespaces = [...new Set(atoms.map(({ namespace }) => namespace).filter((one) => one !== ''))]
  const paths = atoms.map(({ path }) => path)
  for (const where of ['main', 'current'] as const)
    await change(refs, caller, async (seen) => {
      const [branch, head] = where === 'main' ? [MAIN, seen.main] : [seen.current, seen.head]
      const blobs = await seen.repo.entries(head, paths)
      const existing = paths.filter((_, n) => blobs[n] !== undefined)
      if (existing.length === 0) return { result: () => undefined }
      const removed = existing.map((path) => ({ path, removed: true as const }))
      const compiled = branch === MAIN ? await compiledFiles(refs, namespaces, { added: [], removed: new Set(existing) }) : []
      const briefs = branch === MAIN ? await emptyBriefs(refs, seen, namespaces) : []
      return { branch, message: `forget ${existing.length} atoms\n`, files: [...removed, ...compiled, ...briefs], result: () => undefined }
    })
}

/** A brief without an atom is not compiled again, and would keep the titles. */
async function emptyBriefs(refs: Refs, { repo, main }: View, namespaces: readonly string[]) {
  const empty: string[] = []
  for (const namespace of namespaces)
    if ((await refs.atoms.count({ branch: MAIN, namespace }, { max: 1 })) === 0) empty.push(briefPath(namespace))
  const blobs = empty.length === 0 ? [] : await repo.entries(main, empty)
  return empty.filter((_, n) => blobs[n] !== undefined).map((path) => ({ path, removed: true as const }))
}
