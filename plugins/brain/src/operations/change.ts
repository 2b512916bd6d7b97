import type { FileChange, NewCommit, Oid, RefChange } from '@gateway/plugin-git/api'
import { ATTEMPTS, lostRace } from '../rules/lost-race.ts'
import { refOf } from '../rules/names.ts'
import { isCompiled } from '../rules/paths.ts'
import { author, begin } from './begin.ts'
import type { Caller, Refs } from './refs.ts'
import { syncBranch } from './sync.ts'
import { type View, viewInSequence } from './view.ts'

/** A planned commit, and everything else that moves with it. */
export interface Decision<T> {
  /** Branch to commit to; `undefined` for no commit. */
  readonly branch?: string
  /** Tip of `branch`, where that is neither main nor the current branch. */
  readonly tip?: Oid
  readonly message?: string
  readonly files?: readonly FileChange[]
  readonly tree?: Oid
  readonly merges?: Oid
  readonly refs?: readonly RefChange[]
  /** Further index updates, in the same turn. */
  readonly settle?: () => Promise<void>
  readonly result: (commit: Oid | undefined) => T
}

/**
 * Changes the brain by one commit: `decide` sees its current state and plans the change, again if another writer was quicker.
 * The index is up to date when it resolves.
 */
export function change<T>(refs: Refs, caller: Caller, decide: (view: View) => Promise<Decision<T>>): Promise<T> {
  return refs.sequencer.run(caller.tenantId, async () => {
    const repo = refs.git.brain(caller.tenantId)
    await begin(refs, repo, caller)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const view = await viewInSequence(refs, repo, caller)
      if (!view) break
      const decision = await decide(view)
      const commits = commitsOf(decision, caller)
      if (commits.length === 0 && !decision.refs?.length) {
        await decision.settle?.()
        return decision.result(undefined)
      }
      await gate(refs, caller, decision.files ?? [])
      const tips = new Map([
        [refOf('main'), view.main],
        [refOf(view.current), view.head],
        ...(decision.branch !== undefined && decision.tip !== undefined ? [[refOf(decision.branch), decision.tip] as const] : []),
      ])
      const written = await repo.write({ commits, tips, ...(decision.refs && { refs: decision.refs }) })
      if (!written.written) continue
      const after = await viewInSequence(refs, repo, caller)
      if (decision.tip !== undefined) await syncBranch(refs, repo, decision.branch as string, written.commits[0] as Oid, after?.main)
      await decision.settle?.()
      return decision.result(written.commits[0])
    }
    throw lostRace()
  })
}

function commitsOf<T>({ branch, message = '', files = [], tree, merges }: Decision<T>, caller: Caller): readonly NewCommit[] {
  if (branch === undefined) return []
  return [{ ref: refOf(branch), message, author: author(caller), at: caller.now(), files, tree, merges }]
}

/** A change that only removes files is never refused: it is the way out of a full brain. The briefs compiled with it are not new data. */
async function gate(refs: Refs, { tenantId }: Caller, files: readonly FileChange[]): Promise<void> {
  const own = files.filter(({ path }) => !isCompiled(path))
  if (own.length > 0 && own.every((file) => 'removed' in file)) return
  const bytes = files.reduce((sum, file) => sum + ('content' in file ? Buffer.byteLength(file.content) : 0), 0)
  if (bytes > 0) for (const one of refs.gates) await one.check({ bytes, tenantId })
}
