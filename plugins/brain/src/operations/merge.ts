import type { RefChange } from '@gateway/plugin-git/api'
import { BadRequest, defined, NotFound } from '@gateway/sdk'
import { MergeConflict } from '../errors.ts'
import { isBranch, isSession, MAIN, refOf } from '../rules/names.ts'
import { anchorOf, isCompiled, readAtomPath } from '../rules/paths.ts'
import { change, type Decision } from './change.ts'
import { compiledFiles } from './compiled.ts'
import { checkOut } from './current.ts'
import type { Caller, Refs } from './refs.ts'
import { reposOf } from './repos-of.ts'
import { dropBranch, syncBranch } from './sync.ts'
import type { View } from './view.ts'

export interface MergeResult {
  readonly branch: string
  readonly merged: boolean
  readonly commit?: string
  readonly deleted: boolean
  readonly current: string
  readonly atoms: number
  readonly namespaces: readonly string[]
}

/** Maximum number of atoms and files of one merge that are read, for compiled files and for anchors. */
const MAX_FILES = 10_000

/**
 * Merges a branch into main, by a merge commit whatever their histories. Briefs and topics are recompiled, and each touched
 * namespace is anchored at it. The same step deletes a session branch; an idea branch stays.
 */
export function mergeBranch(refs: Refs, caller: Caller, wanted: string | undefined): Promise<MergeResult> {
  return change(refs, caller, (view) => decide(refs, caller, view, wanted))
}

async function decide(refs: Refs, caller: Caller, view: View, wanted: string | undefined): Promise<Decision<MergeResult>> {
  const branch = wanted ?? view.current
  if (!isBranch(branch) || branch === MAIN)
    throw BadRequest({ field: 'branch', message: `\`branch\` must be an open session/… or idea/… branch; got ${JSON.stringify(branch)}` })
  const [tip] = await view.repo.tips([refOf(branch)])
  if (tip === undefined) throw NotFound({ what: 'branch', id: branch })
  const deleted = isSession(branch)
  const current = deleted && view.current === branch ? MAIN : view.current
  const goes: readonly RefChange[] = deleted ? [{ ref: refOf(branch), from: tip, to: undefined }] : []
  // Everything the branch had now belongs to main.
  const settle = async (): Promise<void> => {
    await dropBranch(refs, branch, deleted ? undefined : tip)
    if (deleted && view.current === branch) await checkOut(refs, caller, MAIN)
  }
  const outcome = { branch, deleted, current, atoms: 0, namespaces: [] }
  if (await view.repo.isAncestor(tip, view.main)) return { refs: goes, settle, result: () => ({ ...outcome, merged: false }) }

  const merge = await view.repo.mergeTree(view.main, tip)
  if (!merge.clean) throw MergeConflict({ what: `The merge of ${branch}`, paths: [...merge.conflicts] })
  await syncBranch(refs, view.repo, branch, tip, view.main)
  const { files } = await view.repo.diff({ from: view.main, to: merge.tree, patchCharacters: 0, maxFiles: MAX_FILES })
  const touched = files.filter(({ path }) => !isCompiled(path))
  const arrived = touched.filter(({ status, path }) => status === 'A' && readAtomPath(path)).map(({ path }) => path)
  const removed = new Set(touched.filter(({ status }) => status === 'D').map(({ path }) => path))
  const added = (await refs.atoms.find({ where: { branch }, sort: { seq: -1 }, limit: MAX_FILES })).items
  const own = new Set(arrived)
  const namespaces = await reposOf(
    refs,
    touched.map(({ path }) => path),
    added,
  )
  const coming = { added: added.filter(({ path }) => own.has(path)), removed }
  const anchors = await view.repo.tips(namespaces.map(anchorOf))
  return {
    branch: MAIN,
    settle,
    message: `merge ${branch}\n\nAtoms: ${arrived.length}\n`,
    tree: merge.tree,
    merges: tip,
    files: await compiledFiles(refs, view, namespaces, coming),
    refs: [...goes, ...namespaces.map((name, n) => ({ ref: anchorOf(name), from: anchors[n], to: { commit: 0 } }))],
    result: (commit) => ({ ...outcome, merged: true, ...defined({ commit }), atoms: arrived.length, namespaces }),
  }
}
