import type { HostSession, SessionEnd } from '@gateway/plugin-sessions/api'
import { states } from '@gateway/plugin-state/api'
import { type CallContext, isToolError, NotFound, optional, type Resolved } from '@gateway/sdk'
import { distillations, observations, rings } from '../collections.ts'
import { distil, isWorthKeeping, type SessionFacts, withEarlier } from '../rules/distil.ts'
import { MAIN, refOf } from '../rules/names.ts'
import { sessionBranch, sessionSlug } from '../rules/session-branch.ts'
import type { AtomDraft } from '../schema.ts'
import { openBranch } from './branches.ts'
import { commitAtom } from './commit.ts'
import { modelUses } from './distil-by-model.ts'
import { mergeBranch } from './merge.ts'
import { stepsOf } from './observe.ts'
import { brainUses } from './refs.ts'
import { sessionAtom } from './session-atom.ts'
import { syncBranch } from './sync.ts'
import { view } from './view.ts'

export const keepUses = { ...brainUses, ...modelUses, observations, rings, distillations, states: optional(states) }
type Refs = Resolved<typeof keepUses>

/** Maximum number of steps and atoms that are distilled: the newest. */
const MAX_STEPS = 1_000
const MAX_ATOMS = 50

/**
 * Makes one session atom of what a session observed, committed and handed over, and merges its branch. A session that left nothing
 * leaves no atom; the atom of one that went on after an end replaces the first and contains it. When the merge conflicts the branch stays open, which the note says.
 */
export async function keepSession(session: HostSession, end: SessionEnd, refs: Refs, ctx: CallContext) {
  const branch = sessionBranch(session.sessionId)
  const seen = await view(refs, ctx)
  const [tip] = seen ? await seen.repo.tips([refOf(branch)]) : []
  if (!seen || tip === undefined) return { merged: false }
  await refs.sequencer.run(ctx.tenantId, () => syncBranch(refs, seen.repo, branch, tip, seen.main))
  const facts = await factsOf(session, end, branch, refs)
  const slug = sessionSlug(session.sessionId)
  const place = { namespace: session.repo, slug }
  const earlier = await sessionAtom(place, [branch, MAIN], refs, seen)
  const whole = { ...facts, earlier }
  const isKept = isWorthKeeping(facts)
  const content = isKept ? withEarlier(distil(whole), whole) : undefined
  const draft = { kind: 'session', repo: session.repo, slug, ...(earlier && { supersedes: slug }) } as const
  if (content !== undefined) await commitOn(branch, { ...draft, content }, refs, ctx)
  const distilLater = async (): Promise<void> => {
    if (!isKept || !refs.models?.configured) return
    await refs.distillations.upsert({ slug, repo: session.repo, dueAt: ctx.now().toISOString(), attempts: 0 }, { set: { attempts: 0 } })
  }
  try {
    const { merged } = await mergeBranch(refs, ctx, branch)
    if (merged) await distilLater()
    return { merged }
  } catch (error) {
    if (isMissing(error)) {
      // Another caller was quicker to merge it, or has deleted it.
      const merged = (await sessionAtom(place, [MAIN], refs, seen)) !== undefined
      if (merged) await distilLater()
      return { merged }
    }
    if (!isToolError(error) || error.code === 'UNAVAILABLE') throw error
    return { merged: false, note: `${branch} stays open: ${error.message}` }
  }
}

/** Another caller may merge the branch at any time, which deletes it: the atom then goes to a new one. */
async function commitOn(branch: string, draft: AtomDraft, refs: Refs, ctx: CallContext): Promise<void> {
  try {
    await commitAtom(refs, ctx, draft, { branch })
  } catch (error) {
    if (!isMissing(error)) throw error
    await openBranch(refs, ctx, branch)
    await commitAtom(refs, ctx, draft, { branch })
  }
}

const isMissing = (error: unknown): boolean => isToolError(error) && error.code === NotFound.code

async function factsOf(session: HostSession, end: SessionEnd, branch: string, refs: Refs): Promise<SessionFacts> {
  const { sessionId, repo, host, machine, startedAt } = session
  const [steps, { items: atoms }, handoff] = await Promise.all([
    stepsOf(sessionId, MAX_STEPS, refs),
    refs.atoms.find({ where: { branch }, sort: { seq: -1 }, limit: MAX_ATOMS }),
    refs.states?.latestHandoff(repo),
  ])
  const slug = sessionSlug(sessionId)
  const isOwnNote = (atom: (typeof atoms)[number]): boolean => !atom.superseded && !(atom.kind === 'session' && atom.slug === slug)
  const own = handoff?.sessionId === sessionId ? handoff.content : end.summary
  return { host, machine, startedAt, ...end, steps, atoms: atoms.filter(isOwnNote), handoff: own }
}
