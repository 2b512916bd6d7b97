import { type RecordedConversation, sessionRecorder } from '@gateway/plugin-sessions/api'
import { atomically, type CallContext, isToolError, optional, type Resolved } from '@gateway/sdk'
import type { AgentInvocation, Invoked } from '../api.ts'

export const keptSessionUses = { sessions: optional(sessionRecorder), atomically }

/** Refusals of the arguments: no model was asked, so there is no conversation. */
const REFUSED = ['BAD_REQUEST', 'NOT_FOUND']

/** Runs an agent and keeps the run as a session, also if it fails. A session that cannot be kept is logged: the work was paid for. */
export async function keptAsSession(
  { sessions, atomically }: Resolved<typeof keptSessionUses>,
  { agent: agentName, message: content }: AgentInvocation,
  facts: Readonly<Record<string, string>>,
  ctx: CallContext,
  work: () => Promise<Invoked>,
): Promise<Invoked> {
  const startedAt = ctx.now().toISOString()
  const keep = async (outcome: Partial<RecordedConversation>): Promise<void> => {
    if (!sessions) return
    try {
      await atomically((tx) => sessions.record({ agentName, startedAt, content, ...outcome }, tx))
    } catch (error) {
      ctx.log.warn('a run of an agent could not be kept as a session', { agentName, err: error })
    }
  }
  let invoked: Invoked
  try {
    invoked = await work()
  } catch (error) {
    if (isToolError(error) && REFUSED.includes(error.code)) throw error
    await keep({ error: isToolError(error) ? error.message : 'The run failed, or was ended by its caller.', metadata: facts })
    throw error
  }
  const { text, traceId, model, stopReason, turns, usage } = invoked
  await keep({ answer: text, metadata: { ...facts, traceId, model, stopReason, turns, costUsd: usage.costUsd } })
  return invoked
}
