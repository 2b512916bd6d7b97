import type { LaneConfig, RunnerConfig, Task } from '../schema.ts'

/** Arguments of tasks_claim that keep a lane to tasks it can work on. `foreign` lists repos that turned out not to be configured. */
export function claimFilter({ repos, localModels }: RunnerConfig, { agents }: LaneConfig, foreign: ReadonlySet<string>) {
  const names = Object.keys(repos)
  const { '*': any, ...named } = agents
  return {
    ...(names.length === 1 ? { repo: names[0] } : foreign.size > 0 && { ignoreRepos: [...foreign].slice(0, 1_000) }),
    ...(any === undefined && { assignedAgents: Object.keys(named), unassigned: false }),
    ...(localModels !== undefined && { localModels }),
  }
}

export const agentFor = ({ agents }: LaneConfig, { assignedAgent = '*' }: Pick<Task, 'assignedAgent'>): string =>
  (Object.hasOwn(agents, assignedAgent) ? agents[assignedAgent] : agents['*']) ?? (Object.values(agents)[0] as string)
