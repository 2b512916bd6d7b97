import type { Oid } from '@gateway/plugin-git/api'
import { BadRequest, defined } from '@gateway/sdk'
import { RevertConflict } from '../errors.ts'
import { MAIN } from '../rules/names.ts'
import { isCompiled, pinnedPath } from '../rules/paths.ts'
import { revertPlan } from '../rules/revert-plan.ts'
import { change } from './change.ts'
import { compiledFiles } from './compiled.ts'
import { forgottenAmong } from './forgotten.ts'
import type { Caller, Refs } from './refs.ts'
import { reposOf } from './repos-of.ts'
import { resolveRef } from './resolve.ts'

export interface RevertResult {
  readonly reverted: string
  readonly branch: string
  /** Absent when everything was already reverted. */
  readonly commit?: string
  readonly files: readonly string[]
}

/**
 * Reverts a commit of the current branch by an inverse one; for a merge, its changes against its first parent. Forgotten atoms do not
 * come back.
 */
export function revertCommit(refs: Refs, caller: Caller, sha: string): Promise<RevertResult> {
  return change(refs, caller, async (view) => {
    const commit = await resolveRef(view, sha, 'sha')
    if (!(await view.repo.isAncestor(commit, view.head)))
      throw BadRequest({
        field: 'sha',
        message: `\`sha\` must be a commit of the current branch, ${view.current}; got ${JSON.stringify(sha)}`,
      })
    const [line] = await view.repo.log({ to: commit, limit: 1 })
    const parent = line?.parents[0]
    if (!line || parent === undefined)
      throw BadRequest({ field: 'sha', message: '`sha` must have a parent; got the first commit of the brain' })
    const own = (await view.repo.changed(commit)).filter(({ path }) => !isCompiled(path))
    const forgotten = await forgottenAmong(
      refs,
      own.map(({ path }) => atomOf(path)),
    )
    const changes = own.filter(({ path }) => !forgotten.has(atomOf(path)))
    const paths = changes.map(({ path }) => path)
    const [before, now] = await Promise.all([view.repo.entries(parent, paths), view.repo.entries(view.head, paths)])
    const { undo, conflicts } = revertPlan(changes.map((one, n) => ({ change: one, before: before[n], now: now[n] })))
    if (conflicts.length > 0) throw RevertConflict({ commit, paths: [...conflicts] })
    const files = undo.map(({ path }) => path)
    const result = (made: Oid | undefined): RevertResult => ({
      reverted: commit,
      branch: view.current,
      ...defined({ commit: made }),
      files,
    })
    if (undo.length === 0) return { result }
    const namespaces = await reposOf(refs, files)
    const removed = new Set(undo.filter((file) => 'removed' in file).map(({ path }) => path))
    const compiled =
      view.current === MAIN && line.parents.length > 1 ? await compiledFiles(refs, view, namespaces, { added: [], removed }) : []
    return {
      branch: view.current,
      message: `revert ${commit.slice(0, 8)}: ${line.subject}\n\nReverts: ${commit}\n`,
      files: [...undo, ...compiled],
      result,
    }
  })
}

/** The atom that a file is, or that it pins. */
const atomOf = (path: string): string => pinnedPath(path) ?? path
