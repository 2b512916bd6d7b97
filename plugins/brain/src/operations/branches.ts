import { NotFound } from '@gateway/sdk'
import { MAIN, refOf } from '../rules/names.ts'
import { change } from './change.ts'
import { checkOut } from './current.ts'
import type { Caller, Refs } from './refs.ts'
import { dropBranch } from './sync.ts'
import type { View } from './view.ts'

const SHOWN = 500

/** Returns open branches besides main; removes deleted branches from the index. */
export async function openBranches(
  refs: Refs,
  caller: Caller,
  view: View,
): Promise<readonly { readonly branch: string; readonly tip: string }[]> {
  const all = (await view.repo.refs()).flatMap(({ ref, oid }) =>
    ref.startsWith('refs/heads/') ? [{ branch: ref.slice(11), tip: oid }] : [],
  )
  const names = new Set(all.map(({ branch }) => branch))
  const known = (await refs.branches.find({ limit: 10_000 })).items
  for (const { branch } of known) if (!names.has(branch)) await refs.sequencer.run(caller.tenantId, () => forget(refs, view, branch))
  return all.filter(({ branch }) => branch !== MAIN).slice(0, SHOWN)
}

async function forget(refs: Refs, view: View, branch: string): Promise<void> {
  if ((await view.repo.tips([refOf(branch)]))[0] === undefined) await dropBranch(refs, branch)
}

/** Throws NOT_FOUND for a branch that the brain does not have. A brain on another node is known by its index alone. */
export async function checkExists(branch: string, { git, branches }: Pick<Refs, 'git' | 'branches'>, caller: Caller): Promise<void> {
  if (branch === MAIN) return
  const repo = git.brain(caller.tenantId)
  const found = (await repo.exists()) ? (await repo.tips([refOf(branch)]))[0] : await branches.get(branch)
  if (found === undefined) throw NotFound({ what: 'branch', id: branch })
}

/** Creates a branch from main if it does not exist; the current branch stays. */
export function openBranch(refs: Refs, caller: Caller, branch: string): Promise<void> {
  return change(refs, caller, async (view) => {
    const ref = refOf(branch)
    const [tip] = await view.repo.tips([ref])
    return { refs: tip === undefined ? [{ ref, from: undefined, to: view.main }] : [], result: () => undefined }
  })
}

/** Creates a branch from main, or continues an existing one; it becomes the current branch. */
export async function takeBranch(refs: Refs, caller: Caller, branch: string) {
  return change(refs, caller, async (view) => {
    const ref = refOf(branch)
    const [tip] = await view.repo.tips([ref])
    const settle = (): Promise<void> => checkOut(refs, caller, branch)
    if (tip !== undefined) return { settle, result: () => ({ branch, created: false, head: tip }) }
    return { refs: [{ ref, from: undefined, to: view.main }], settle, result: () => ({ branch, created: true, head: view.main }) }
  })
}

export async function checkoutBranch(refs: Refs, caller: Caller, branch: string) {
  return change(refs, caller, async (view) => {
    const [tip] = await view.repo.tips([refOf(branch)])
    if (tip === undefined) throw NotFound({ what: 'branch', id: branch })
    return { settle: () => checkOut(refs, caller, branch), result: () => ({ branch, head: tip }) }
  })
}
