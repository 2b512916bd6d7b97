import { defineContribution, defineService, type Transaction } from '@gateway/sdk'

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
 * agent serves it. `run` throws UNAVAILABLE, naming the setting, while nothing is configured to answer; any other error is
 * reported to the caller as SESSION_ROUTING_FAILED. It stores nothing of the conversation: the session does.
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

/** A session of an agent host, as its hooks report it. */
export interface HostSession {
  readonly sessionId: string
  readonly host: string
  readonly repo: string
  readonly startedAt: string
  readonly machine?: string | undefined
  readonly taskId?: string | undefined
  readonly branch?: string | undefined
}
export interface SessionStep {
  /** Chosen by the sender: a step that is sent twice is kept once. */
  readonly stepId: string
  readonly at: string
  readonly tool?: string | undefined
  readonly target?: string | undefined
  readonly exit?: 'ok' | 'error' | 'unknown' | undefined
  readonly files?: readonly string[] | undefined
}
/** The work in git that a session leaves behind. */
export interface SessionEnd {
  readonly ending: 'ended' | 'crashed' | 'silent'
  readonly gitBranch?: string | undefined
  /** Commits, one line each, the newest first. */
  readonly commits: readonly string[]
  /** Files, one line each. */
  readonly uncommitted: readonly string[]
  /** Result in words, of a session that handed over nothing. */
  readonly summary?: string | undefined
}

/**
 * Keeps what sessions of hosts learn: contributed by the family of the brain. Each method may be called again for the same
 * session, after an answer was lost.
 */
export interface SessionKeeper {
  /** Returns the branch that keeps the session's work apart until it ends. */
  begun(session: HostSession): Promise<{ readonly branch?: string }>
  /**
   * Keeps steps in the transaction that notes them at the session: it writes by `collection.in(tx)`, and begins no transaction of its
   * own. Returns the number of steps that it did not have yet.
   */
  observed(session: HostSession, steps: readonly SessionStep[], tx: Transaction): Promise<number>
  /** Returns one sentence about what became of the branch. */
  ended(session: HostSession, end: SessionEnd): Promise<{ readonly merged: boolean; readonly note?: string }>
}
export const sessionKeeper = defineContribution<SessionKeeper>('sessions.keeper')

/** A record of something that a session did. */
export interface SessionDeed {
  readonly at: string
  /** `step`, `atom`, `handoff`, `memory`: the sort of record. */
  readonly kind: string
  readonly title: string
  readonly text?: string
  readonly repo?: string
  /** Id of the record in its family. */
  readonly id?: string
}
/** Records of other families that carry the id of a session. */
export interface SessionRecords {
  /** The newest first. */
  of(sessionId: string, limit: number): Promise<readonly SessionDeed[]>
}
export const sessionRecords = defineContribution<SessionRecords>('sessions.records')

/** Sessions of hosts, for families that show what is being worked on. */
export interface OpenSessions {
  /** Sessions of a repo, the newest sign of life first; at most 50. */
  of(repo: string): Promise<readonly (HostSession & { readonly lastSignAt: string })[]>
  /** Sessions that work on a task, or did; the newest sign of life first; at most 50. */
  forTask(taskId: string): Promise<readonly HostSession[]>
}
export const openSessions = defineService<OpenSessions>('sessions.open')

/** A message of a conversation, as it is found by its words. */
export interface SessionText {
  readonly messageId: string
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly createdAt: string
}
/** Finds conversations by what was said: contributed by the family of the memory. */
export interface SessionIndex {
  /** Adds messages in the transaction that stores them; at most two, of at most 100,000 characters each. */
  add(session: { readonly sessionId: string; readonly agentName: string }, texts: readonly SessionText[], tx: Transaction): Promise<void>
  /** Notes in `tx` that a session is stored or removed as a whole. It is read with `refresh`, or within a minute by a job. */
  due(sessionId: string, tx: Transaction): Promise<void>
  refresh(sessionId: string): Promise<void>
}
export const sessionIndex = defineContribution<SessionIndex>('sessions.index')

/** Messages of conversations for the family that indexes them. */
export interface SessionTexts {
  /** Returns the ids of conversations with messages that come after an id, in their order; `next` is absent on the last page. */
  page(after?: string): Promise<{ readonly sessionIds: readonly string[]; readonly next?: string }>
  /** Returns all messages in their order, at most 2,000, or `undefined` when there is no such session. */
  read(sessionId: string): Promise<{ readonly agentName: string; readonly texts: readonly SessionText[] } | undefined>
  /** Replaces the contents of messages for good, because they were forgotten in part. */
  rewrite(sessionId: string, contents: ReadonlyMap<string, string>): Promise<void>
}
export const sessionTexts = defineService<SessionTexts>('sessions.texts')
