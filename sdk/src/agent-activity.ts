import { defineContribution } from './contribution.ts'

/** Something that an agent holds, did or failed at, or that happened in a repo. */
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
  /** Path of the page that shows it, with its parameters filled in: `/tasks/t-1`. */
  readonly page?: string
}
/** The knowledge that a family has of an agent or a repo. */
export interface AgentDeeds {
  readonly holds?: readonly AgentDeed[]
  readonly did?: readonly AgentDeed[]
  readonly failed?: readonly AgentDeed[]
  /** Entries that the agent wrote into the memory or the brain, or that were learned in the repo. */
  readonly learned?: readonly AgentDeed[]
  /** Messages to it. */
  readonly told?: readonly AgentDeed[]
  /** Spend since the asked time, in US dollars. */
  readonly spentUsd?: number
}
/** The question: the latest deeds of each sort, at most `limit`, and the spend since `since` (ISO 8601). */
export interface AgentQuestion {
  /** Name of an agent, of a worker, or the label of a key; for `repoActivity` the name of a repo. */
  readonly name: string
  readonly limit: number
  readonly since: string
}

/** Reports what the agents of the caller's tenant hold, did, failed at, learned and spent. An index must answer it. */
export interface AgentActivity {
  of(question: AgentQuestion): Promise<AgentDeeds>
}
/** Contributes to `GET /api/agents/{name}/activity`. */
export const agentActivity = defineContribution<AgentActivity>('gateway.agent-activity')
/** Contributes to `GET /api/repos/{repo}/activity`: the same, of a repo. */
export const repoActivity = defineContribution<AgentActivity>('gateway.repo-activity')

/** A deed in a timeline, with its sort. */
export interface TimelineDeed extends AgentDeed {
  readonly sort: 'holds' | 'did' | 'failed' | 'learned' | 'told'
  /** Distinguishes the deeds of one timeline. */
  readonly key: string
}

/** All that is known of an agent or a repo: each sort and the timeline over all sorts has at most `limit` deeds, the latest first. */
export interface ActivitySummary {
  readonly holds: AgentDeed[]
  readonly did: AgentDeed[]
  readonly failed: AgentDeed[]
  readonly learned: AgentDeed[]
  readonly told: AgentDeed[]
  readonly timeline: TimelineDeed[]
  readonly spentUsd: number
}

/** Asks all sources and merges their answers. */
export async function collectActivity(sources: readonly AgentActivity[], question: AgentQuestion): Promise<ActivitySummary> {
  const found = await Promise.all(sources.map((source) => source.of(question)))
  const latest = <Deed extends AgentDeed>(deeds: readonly Deed[]): Deed[] =>
    [...deeds].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, question.limit)
  const sortOf = (sort: TimelineDeed['sort']): AgentDeed[] => latest(found.flatMap((deeds) => deeds[sort] ?? []))
  const sorts = { holds: sortOf('holds'), did: sortOf('did'), failed: sortOf('failed'), learned: sortOf('learned'), told: sortOf('told') }
  const timeline = (Object.keys(sorts) as TimelineDeed['sort'][]).flatMap((sort) =>
    sorts[sort].map((deed) => ({ ...deed, sort, key: `${sort} ${deed.kind} ${deed.id} ${deed.at}` })),
  )
  return { ...sorts, timeline: latest(timeline), spentUsd: found.reduce((sum, { spentUsd = 0 }) => sum + spentUsd, 0) }
}
