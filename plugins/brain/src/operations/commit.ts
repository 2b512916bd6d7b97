import type { NewCommit, Oid } from '@gateway/plugin-git/api'
import { isToolError, NotFound, principalName } from '@gateway/sdk'
import type { Committed } from '../api.ts'
import { ATTEMPTS, lostRace } from '../rules/lost-race.ts'
import { MAIN, refOf } from '../rules/names.ts'
import { pinPath } from '../rules/paths.ts'
import type { AtomDraft } from '../schema.ts'
import type { Queued } from '../services/sequencer.ts'
import { applyIn, LAYOUT } from './apply.ts'
import { author, begin } from './begin.ts'
import { currentBranch } from './current.ts'
import { viewOf } from './documents.ts'
import { requireHere } from './elsewhere.ts'
import { type Planned, Planner } from './plan-atom.ts'
import type { Caller, Refs } from './refs.ts'
import { syncBranch } from './sync.ts'
import { type View, viewInSequence } from './view.ts'

interface Waiting extends Queued {
  readonly draft: AtomDraft
  readonly branch: string | undefined
  readonly caller: Caller
  readonly writer: string | undefined
  readonly resolve: (done: Committed) => void
  readonly reject: (error: unknown) => void
}
interface Planning {
  readonly waiting: Waiting
  readonly planned: Planned
  readonly branch: string
}

/**
 * Commits one atom. Requests that arrive during a write go together in the next one, each as its own commit; each is answered
 * once objects, refs and index are on the disk.
 */
export function commitAtom(
  refs: Refs,
  caller: Caller,
  draft: AtomDraft,
  options: { branch?: string | undefined; writer?: string } = {},
): Promise<Committed> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.byteLength(draft.content)
    const waiting = { draft, branch: options.branch, caller, writer: options.writer, bytes, resolve, reject }
    refs.sequencer.join<Waiting>(caller.tenantId, 'commits', waiting, (all) => flush(refs, all))
  })
}

async function flush(refs: Refs, all: readonly Waiting[]): Promise<void> {
  let left = all
  try {
    for (let attempt = 1; left.length > 0; attempt++) left = await commitAll(refs, left, attempt)
  } catch (error) {
    for (const { reject } of left) reject(error)
  }
}

/** Returns the requests that need a new decision. */
async function commitAll(refs: Refs, all: readonly Waiting[], attempt: number): Promise<readonly Waiting[]> {
  const [{ caller }] = all as [Waiting]
  const repo = refs.git.brain(caller.tenantId)
  const there = (await repo.exists()) ? await viewInSequence(refs, repo, caller) : undefined
  if (!there) await begin(refs, repo, caller)
  const view = there ?? (await viewInSequence(refs, repo, caller))
  if (!view) throw new Error('a brain that was just created is missing')
  const chosen = await Promise.all(all.map(async ({ branch, caller }) => branch ?? currentBranch(refs, caller)))
  const tips = await branchTips(refs, chosen, view)
  // A current branch that no longer exists counts as main; a branch that the call names must exist.
  const branches = chosen.map((branch, n) => (tips.has(branch) || all[n]?.branch !== undefined ? branch : MAIN))
  const planner = new Planner(refs)
  await planner.prepare(all.map(({ draft }, n) => ({ draft, visible: visibleFrom(branches[n] as string) })))
  const plans: Planning[] = []
  for (const [n, waiting] of all.entries()) {
    const branch = branches[n] as string
    try {
      if (!tips.has(branch)) throw NotFound({ what: 'branch', id: branch })
      const visible = visibleFrom(branch)
      const { draft, caller: by, writer } = waiting
      const planned = await planner.plan({ draft, visible, at: by.now(), writer, author: principalName(by.principal) })
      if (planned.known) waiting.resolve({ atom: viewOf(planned.known), branch: planned.known.branch, created: false })
      else plans.push({ waiting, planned, branch })
    } catch (error) {
      waiting.reject(error)
    }
  }
  if (plans.length === 0) return []
  try {
    const bytes = plans.reduce((sum, { planned }) => sum + Buffer.byteLength(planned.text), 0)
    for (const gate of refs.gates) await gate.check({ bytes, tenantId: caller.tenantId })
    const written = await repo.write({
      commits: plans.map(commitOf),
      tips: new Map([...tips].map(([branch, tip]) => [refOf(branch), tip])),
    })
    if (!written.written) {
      if (attempt >= ATTEMPTS) throw lostRace()
      return plans.map(({ waiting }) => waiting)
    }
    const isIndexed = await remember(refs, plans, written.commits, tips)
    if (!isIndexed) await requireHere(refs, repo)
    for (const [n, plan] of plans.entries()) answer(plan, written.commits[n] as Oid)
    return []
  } catch (error) {
    return settleFailure(refs, plans, error, attempt)
  }
}

/** If the answer of a write was lost, its paths in the index show the outcome; missing atoms are tried once more. */
async function settleFailure(refs: Refs, plans: readonly Planning[], error: unknown, attempt: number): Promise<readonly Waiting[]> {
  const isLost = isToolError(error) && error.code === 'UNAVAILABLE'
  if (!isLost || attempt > 1) throw error
  const left: Waiting[] = []
  const [{ waiting: first }] = plans as [Planning]
  await viewInSequence(refs, refs.git.brain(first.caller.tenantId), first.caller)
  for (const { waiting, planned, branch } of plans) {
    const atom = await refs.atoms.get(`${branch} ${planned.path}`)
    if (atom) waiting.resolve({ atom: viewOf(atom), branch, created: true })
    else left.push(waiting)
  }
  return left
}

const visibleFrom = (branch: string): readonly string[] => (branch === MAIN ? [MAIN] : [branch, MAIN])

async function branchTips(refs: Refs, wanted: readonly string[], view: View): Promise<Map<string, Oid>> {
  const tips = new Map<string, Oid>([
    [MAIN, view.main],
    [view.current, view.head],
  ])
  const names = [...new Set(wanted)].filter((branch) => !tips.has(branch))
  if (names.length === 0) return tips
  for (const [n, tip] of (await view.repo.tips(names.map(refOf))).entries()) {
    if (tip === undefined) continue
    tips.set(names[n] as string, tip)
    await syncBranch(refs, view.repo, names[n] as string, tip, view.main)
  }
  return tips
}

function commitOf({ waiting: { caller, draft, writer }, planned, branch }: Planning): NewCommit {
  const about = draft.kind === 'memory' ? 'memory' : `${draft.kind}(${draft.repo})`
  const codes = [draft.codeSha, ...(draft.codeCommits ?? [])].filter((sha) => sha !== undefined)
  const trailers = [
    `Topic: ${planned.topic}`,
    ...(writer === undefined ? [] : [`Writer: ${writer}`]),
    ...codes.slice(0, 20).map((sha) => `Code-Sha: ${sha}`),
  ]
  return {
    ref: refOf(branch),
    message: `${about}: ${draft.slug}\n\n${trailers.join('\n')}\n`,
    author: author(caller),
    at: caller.now(),
    files: [
      { path: planned.path, content: planned.text },
      ...(draft.pin ? [{ path: pinPath(planned.path), content: `pinned by ${principalName(caller.principal)}\n` }] : []),
    ],
  }
}

/**
 * Updates the index of all of them, and the tips of their branches, in one step. False if another node was quicker with a branch: it
 * has indexed these commits, or will find that the index does not match; unless it has another repository.
 */
async function remember(refs: Refs, plans: readonly Planning[], commits: readonly Oid[], tips: ReadonlyMap<string, Oid>): Promise<boolean> {
  const branches = [...new Set(plans.map(({ branch }) => branch))]
  return refs.atomically(async (tx) => {
    let isIndexed = true
    for (const branch of branches) {
      const own = plans.flatMap((plan, n) => (plan.branch === branch ? [{ plan, commit: commits[n] as Oid }] : []))
      const news = own.flatMap(({ plan: { planned, waiting }, commit }) => [
        { change: { status: 'A' as const, path: planned.path, blob: planned.blob }, commit, text: planned.text },
        ...(waiting.draft.pin ? [{ change: { status: 'A' as const, path: pinPath(planned.path), blob: '' }, commit, text: '' }] : []),
      ])
      const tip = own.at(-1)?.commit as Oid
      const moved = await refs.branches.in(tx).updateOne(branch, { set: { tip, layout: LAYOUT } }, { tip: tips.get(branch) as Oid })
      if (moved) await applyIn(tx, refs, branch, news)
      else isIndexed = false
    }
    return isIndexed
  })
}

function answer({ waiting, planned, branch }: Planning, commit: Oid): void {
  const { atom } = planned.document(branch, commit)
  waiting.resolve({ atom: viewOf({ ...atom, pinned: waiting.draft.pin === true }), branch, created: true })
}
