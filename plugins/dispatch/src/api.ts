import type { Task } from '@gateway/plugin-tasks/api'
import { closed, defineContribution, defineEvent, Type } from '@gateway/sdk'

export interface BudgetState {
  /** Spending of the tenant today (UTC), in USD. */
  readonly spentTodayUsd: number
  /** Reason why nothing more may be dispatched, for the caller; absent otherwise. */
  readonly exhausted?: string
}

/** Asked before each dispatch cycle. One that is exhausted is enough to stop it; their figures of today's spending are added. */
export interface DispatchBudget {
  check(): Promise<BudgetState>
}
export const dispatchBudget = defineContribution<DispatchBudget>('dispatch.budget')

type WorkType = NonNullable<Task['workType']>

/** Stamps that a task gets when an agent of the gateway takes it. */
export interface RoutingStamps {
  readonly routedModel: string
  readonly executionProvider: string
  readonly workType: WorkType
  readonly workTypeTier: string
  readonly workTypeFailoverHop?: number
}

export interface AgentWork {
  readonly taskId: string
  readonly agent: string
  readonly repo: string
  readonly message: string
  readonly workType: WorkType
  /** The trace that its spans join. */
  readonly traceId: string
  readonly signal: AbortSignal
  /** Asked between the model calls of a run; a reason ends it. */
  overBudget(): Promise<string | undefined>
}
export interface AgentResult {
  readonly text: string
  readonly outputTokens: number
  /** `length`, `filtered`: the answer is not whole. `turns`, `budget`: the limit that `reason` names ended the run. */
  readonly stopReason: 'end' | 'length' | 'filtered' | 'turns' | 'budget'
  readonly reason?: string
  readonly turns: number
  readonly toolCalls: number
  readonly stamps: RoutingStamps
}
/**
 * Executes the tasks of agents that run inside the gateway: contributed by the family that has agents and providers. All other tasks wait
 * for runners.
 */
export interface DispatchRunner {
  /** Names of the agents whose tasks it executes; empty while nothing is configured that could answer. */
  agents(): Promise<readonly string[]>
  /** True if its agents can be asked with the model. A task that is pinned to another one waits for a runner. */
  serves(model: string): boolean
  /**
   * The stamps of a task that it would execute; `undefined` for every other task, and `later` while no model takes its call. Asks no model.
   */
  plan(task: Task): Promise<RoutingStamps | 'later' | undefined>
  /**
   * Reason why the gateway, as it is set up, cannot execute the task of an agent that runs in it, and what to do; `undefined` for every
   * other task.
   */
  obstacle(task: Task): Promise<string | undefined>
  /** The agent's result. An error that it throws is the reason why the task failed. */
  run(work: AgentWork, task: Task): Promise<AgentResult>
}
export const dispatchRunner = defineContribution<DispatchRunner>('dispatch.runner')

/** Emitted at the end of a dispatch cycle; `chatId` is the chat that gets its report, if any; the family of notifications sends it. */
export const dispatchCycled = defineEvent(
  'dispatch.cycle',
  Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      dispatched: Type.Array(Type.Object({ taskId: Type.String(), title: Type.String(), to: Type.String() }, closed)),
      reason: Type.Optional(Type.String()),
    },
    closed,
  ),
)
