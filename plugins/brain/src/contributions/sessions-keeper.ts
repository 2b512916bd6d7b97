import { type SessionEnd, sessionKeeper } from '@gateway/plugin-sessions/api'
import { Conflict, contribute, isToolError } from '@gateway/sdk'
import { BrainQuotaExceeded } from '../api.ts'
import { openBranch } from '../operations/branches.ts'
import { keepSession, keepUses } from '../operations/keep-session.ts'
import { observe } from '../operations/observe.ts'
import { sessionBranch } from '../rules/session-branch.ts'

/** Maximum number of steps that one call reports, and one lookup compares. */
const MAX_STEPS = 200

/** Keeps what a session of a host learns: a branch of its own, its steps, and one atom at its end. */
export const branchOfSession = contribute(sessionKeeper, {
  uses: keepUses,
  create: (refs, ctx) => ({
    async begun({ sessionId }) {
      const branch = sessionBranch(sessionId)
      await openBranch(refs, ctx, branch)
      return { branch }
    },
    async observed({ sessionId, repo }, steps, tx) {
      const ids = steps.map(({ stepId }) => stepId)
      const known = await refs.observations.in(tx).find({ where: { session: sessionId, stepId: { in: ids } }, limit: MAX_STEPS })
      const seen = new Set(known.items.map(({ stepId }) => stepId))
      const fresh = [...new Map(steps.map((step) => [step.stepId, step])).values()].filter(({ stepId }) => !seen.has(stepId))
      const kept = await observe(
        fresh.map((step) => ({ ...step, repo, session: sessionId, branch: sessionBranch(sessionId) })),
        refs,
        tx,
      )
      return kept.length
    },
    async ended(session, end: SessionEnd) {
      try {
        return await keepSession(session, end, refs, ctx)
      } catch (error) {
        // The routes of sessions know no errors of a brain.
        if (isToolError(error) && error.code === BrainQuotaExceeded.code) throw Conflict({ message: error.message })
        throw error
      }
    },
  }),
})
