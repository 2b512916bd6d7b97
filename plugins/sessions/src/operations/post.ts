import { type Atomically, type CallContext, cutText, isToolError, Unavailable } from '@gateway/sdk'
import type { RunAnswer, SessionIndex, SessionRunner } from '../api.ts'
import { RoutingFailed } from '../errors.ts'
import { historyOf } from '../rules/history.ts'
import { MAX_CONTENT, type StoredMessage, type StoredSession } from '../schema.ts'
import { append } from './append.ts'
import { type ReadUses, sessionOf } from './read.ts'

export interface PostUses extends ReadUses {
  readonly runners: readonly SessionRunner[]
  readonly indexes: readonly SessionIndex[]
  readonly atomically: Atomically
}
export interface Post {
  readonly sessionId: string
  readonly content: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}
const MISSING = 'plugins.providers.providers'
const MAX_HISTORY_MESSAGES = 200
const MAX_REASON = 1_000

/**
 * Routes a message to the agent of its session:
 *
 * 1. it is stored, pending: from then on it is in the session in any case;
 * 2. the agent is asked;
 * 3. its answer is stored and the message marked answered, in one step; or the message has failed, with the reason.
 */
export async function post({ sessionId, content, metadata }: Post, uses: PostUses, ctx: CallContext) {
  const { messages, runners, atomically } = uses
  const session = await sessionOf(sessionId, uses.sessions)
  const draft = { messageId: ctx.newId('msg-'), role: 'user', content, state: 'pending', ...(metadata && { metadata }) } as const
  const asked = await atomically((tx) => append({ sessionId, message: draft, ifActive: true }, uses, tx))
  let answer: RunAnswer
  try {
    const runner = await runnerOf(session, runners)
    const before = await messages.find({ where: { sessionId, seq: { lt: asked.seq } }, sort: { seq: -1 }, limit: MAX_HISTORY_MESSAGES })
    answer = await ask(runner, { session, asked, history: before.items }, uses, ctx)
  } catch (error) {
    await messages.updateOne(asked.place, { set: { state: 'failed', error: reasonOf(error) } })
    throw refusal(error, session, asked, ctx)
  }
  const said = cutText(answer.content, MAX_CONTENT)
  await atomically(async (tx) => {
    const reply = { messageId: ctx.newId('msg-'), role: 'assistant', content: said, replyTo: asked.messageId } as const
    await append({ sessionId, message: reply, ifActive: false }, uses, tx)
    await messages.in(tx).updateOne(asked.place, { set: { state: 'answered' } })
  })
  const { agentName } = session
  return { sessionId, agentName, messageId: asked.messageId, response: { ...answer.facts, content: said } }
}

async function runnerOf({ agentName }: StoredSession, runners: readonly SessionRunner[]): Promise<SessionRunner> {
  for (const runner of runners) if (await runner.knows(agentName)) return runner
  throw Unavailable({
    message: `The agent ${agentName} cannot be reached: set ${MISSING} in gateway.config.json.`,
    setting: MISSING,
  })
}

/** Rejects when the caller leaves or the agent takes too long, even if the runner ignores the signal. */
async function ask(
  runner: SessionRunner,
  {
    session,
    asked,
    history,
  }: { readonly session: StoredSession; readonly asked: StoredMessage; readonly history: readonly StoredMessage[] },
  { config }: PostUses,
  ctx: CallContext,
): Promise<RunAnswer> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${config.answerSeconds} s.`)), config.answerSeconds * 1_000)
  const signal = AbortSignal.any([ctx.signal, late.signal])
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  try {
    signal.throwIfAborted()
    const { sessionId, agentName } = session
    const { content, metadata } = asked
    return await Promise.race([runner.run({ sessionId, agentName, history: historyOf(history), content, metadata, signal }), aborted])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(error: unknown): string {
  return cutText(error instanceof Error && error.message !== '' ? error.message : 'it failed without a reason.', MAX_REASON)
}

function refusal(error: unknown, { sessionId, agentName }: StoredSession, { messageId }: StoredMessage, ctx: CallContext): unknown {
  if (ctx.signal.aborted) return error
  if (isToolError(error) && error.code === 'UNAVAILABLE') return error
  ctx.log.warn('A message was not answered', { sessionId, agentName, messageId, err: error })
  return RoutingFailed({ sessionId, agentName, messageId, reason: reasonOf(error) })
}
