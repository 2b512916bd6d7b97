import { defineContribution } from './contribution.ts'

/** Something that an agent holds, did or failed at. */
export interface AgentDeed {
  /** kebab-case: `task`, `lease`, `session`. */
  readonly kind: string
  readonly id: string
  readonly title: string
  /** ISO 8601: since when it is held, or when it ended. */
  readonly at: string
  readonly error?: string
  /** ISO 8601: when a held thing expires. */
  readonly until?: string
}
/** The knowledge that a family has of an agent. */
export interface AgentDeeds {
  readonly holds?: readonly AgentDeed[]
  readonly did?: readonly AgentDeed[]
  readonly failed?: readonly AgentDeed[]
  /** Spend since the asked time, in US dollars. */
  readonly spentUsd?: number
}
/** The question: the latest deeds of each sort, at most `limit`, and the spend since `since` (ISO 8601). */
export interface AgentQuestion {
  /** Name of an agent, of a worker, or the label of a key. */
  readonly name: string
  readonly limit: number
  readonly since: string
}

/** Reports what the agents of the caller's tenant hold, did, failed at and spent. An index must answer it. */
export interface AgentActivity {
  of(question: AgentQuestion): Promise<AgentDeeds>
}
/** Contributes to `GET /api/agents/{name}/activity`. */
export const agentActivity = defineContribution<AgentActivity>('gateway.agent-activity')
