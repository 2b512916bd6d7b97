import type { Oid, Repository } from '@gateway/plugin-git/api'
import { MAIN, refOf } from '../rules/names.ts'
import { LAYOUT } from './apply.ts'
import { currentBranch } from './current.ts'
import { isElsewhere, unreachable } from './elsewhere.ts'
import type { Caller, Refs } from './refs.ts'
import { syncBranch } from './sync.ts'

/** The current state of the brain, its index up to date with main and the current branch. */
export interface View {
  readonly repo: Repository
  readonly main: Oid
  /** The current branch of the caller; main if the chosen one no longer exists. */
  readonly current: string
  readonly head: Oid
  /** The branches whose atoms are visible: the current branch and main. */
  readonly visible: readonly string[]
}

/**
 * `undefined` when the tenant has no brain yet; then no process is started. If the repository is elsewhere, the state is that of the
 * index, and reading the repository throws UNAVAILABLE.
 */
export async function view(refs: Refs, caller: Caller): Promise<View | undefined> {
  const repo = refs.git.brain(caller.tenantId)
  const seen = (await repo.exists()) ? await look(refs, repo, caller) : undefined
  if (!seen) return indexAlone(refs, repo, caller)
  if (await inStep(refs, seen)) return seen
  return refs.sequencer.run(caller.tenantId, async () =>
    (await isElsewhere(refs, repo)) ? indexAlone(refs, repo, caller) : viewInSequence(refs, repo, caller),
  )
}

/** The same for a caller that already holds the sequence. */
export async function viewInSequence(refs: Refs, repo: Repository, caller: Caller): Promise<View | undefined> {
  const seen = await look(refs, repo, caller)
  if (seen) await syncAll(refs, seen)
  return seen
}

async function look(refs: Refs, repo: Repository, caller: Caller): Promise<View | undefined> {
  const chosen = await currentBranch(refs, caller)
  const [main, tip] = await repo.tips([refOf(MAIN), refOf(chosen)])
  if (main === undefined) return undefined
  const current = tip === undefined ? MAIN : chosen
  return { repo, main, current, head: tip ?? main, visible: current === MAIN ? [MAIN] : [current, MAIN] }
}

async function indexAlone(refs: Refs, repo: Repository, caller: Caller): Promise<View | undefined> {
  const main = await refs.branches.get(MAIN)
  if (main?.layout !== LAYOUT) return undefined
  const chosen = await currentBranch(refs, caller)
  const own = chosen === MAIN ? undefined : await refs.branches.get(chosen)
  const current = own?.layout === LAYOUT ? chosen : MAIN
  return {
    repo: unreachable(repo),
    main: main.tip,
    current,
    head: (current === MAIN ? main : own)?.tip ?? main.tip,
    visible: current === MAIN ? [MAIN] : [current, MAIN],
  }
}

const wanted = ({ main, current, head }: View): ReadonlyMap<string, Oid> =>
  new Map([
    [MAIN, main],
    [current, head],
  ])

async function inStep(refs: Refs, seen: View): Promise<boolean> {
  const tips = wanted(seen)
  const known = await refs.branches.getMany([...tips.keys()])
  return known.length === tips.size && known.every(({ branch, tip, layout }) => layout === LAYOUT && tips.get(branch) === tip)
}

async function syncAll(refs: Refs, seen: View): Promise<number> {
  let moved = 0
  for (const [branch, tip] of wanted(seen)) moved += await syncBranch(refs, seen.repo, branch, tip, seen.main)
  return moved
}
