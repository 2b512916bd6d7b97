import type { PushedRef, Repository } from '@gateway/plugin-git/api'
import { defined } from '@gateway/sdk'
import { MAIN, refOf } from '../rules/names.ts'
import { readAtomPath } from '../rules/paths.ts'
import type { Caller, Refs } from './refs.ts'
import { reposOf } from './repos-of.ts'

const HEADS = 'refs/heads/'
/** Maximum number of paths per event. */
const MAX_PATHS = 200

/** Publishes the atoms of a push, once for each branch that is still where it was pushed to. */
export async function announcePush(refs: Refs, caller: Caller, pushed: readonly PushedRef[]): Promise<void> {
  const repo = refs.git.brain(caller.tenantId)
  const moved = pushed.filter(({ ref, to }) => ref.startsWith(HEADS) && to !== undefined)
  const [main, ...tips] = await repo.tips([refOf(MAIN), ...moved.map(({ ref }) => ref)])
  for (const [n, { ref, from, to }] of moved.entries()) {
    // The push was refused, or another writer has moved the branch on: then that writer publishes.
    if (to === undefined || tips[n] !== to) continue
    const paths = await atomsOf(repo, from ?? (ref === refOf(MAIN) ? undefined : main), to)
    const namespaces = [...(await reposOf(refs, paths))]
    if (paths.length > 0) refs.committed.emit({ branch: ref.slice(HEADS.length), commit: to, paths: paths.slice(0, MAX_PATHS), namespaces })
  }
}

async function atomsOf(repo: Repository, from: string | undefined, to: string): Promise<readonly string[]> {
  const paths = new Set<string>()
  for await (const commits of repo.history({ to, ...defined({ from }) }))
    for (const { changes } of commits) for (const { path, status } of changes) if (status === 'A' && readAtomPath(path)) paths.add(path)
  return [...paths]
}
