import { defineContribution, defineService, type Transaction } from '@gateway/sdk'

/** A turn of a conversation. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}
export interface RunRequest {
  readonly sessionId: string
  readonly agentName: string
  /** Earlier messages and answers, oldest first; at most the last 100,000 characters. */
  readonly history: readonly Turn[]
  readonly content: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Aborted when the caller goes away or the agent takes too long. */
  readonly signal: AbortSignal
}
export interface RunAnswer {
  /** Answer of the agent: the next turn of the session; at most 100,000 characters are kept. */
  readonly content: string
  /** Further facts for the caller in addition to `content`: model, tokens, cost. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Routes the messages of sessions to agents: contributed by the family that has agents and providers. The first that knows an
 * agent
 * serves it. `run` throws UNAVAILABLE, naming the setting, while nothing is configured to answer; any other error is reported to
 * the caller as SESSION_ROUTING_FAILED. It stores nothing of the conversation: the session does.
 */
export interface SessionRunner {
  knows(agentName: string): Promise<boolean>
  run(request: RunRequest): Promise<RunAnswer>
}
export const sessionRunner = defineContribution<SessionRunner>('sessions.runner')

/** Number of conversations of the caller's tenant, and of open ones; counting stops at 10,000. */
export interface SessionCounts {
  read(): Promise<{ readonly total: number; readonly active: number }>
}
export const sessionCounts = defineService<SessionCounts>('sessions.counts')

/** A conversation of one question that took place outside of the sessions API, for example the run of a scheduled agent. */
export interface RecordedConversation {
  readonly agentName: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly content: string
  /** Absent if the agent failed; `error` then says why. */
  readonly answer?: string | undefined
  readonly error?: string | undefined
  /** Follows the limits of metadata of a session. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}
/** Keeps conversations as closed sessions, which are recalled and exported like any other. */
export interface SessionRecorder {
  /** Returns the id of the session, which is kept together with the other changes of `tx`. Texts are cut to the limits of messages. */
  record(conversation: RecordedConversation, tx: Transaction): Promise<string>
}
export const sessionRecorder = defineService<SessionRecorder>('sessions.recorder')
