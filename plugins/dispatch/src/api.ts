import { closed, defineContribution, defineEvent, Type } from '@gateway/sdk'

/** Today's state of a budget family. */
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

export interface AgentWork {
  readonly agent: string
  readonly repo: string
  readonly message: string
  /** The trace that its spans join. */
  readonly traceId: string
  readonly signal: AbortSignal
}
/**
 * Executes the tasks of agents that run inside the gateway: contributed by the family that has agents and providers. Tasks of
 * unknown agents are offered by mail.
 */
export interface DispatchRunner {
  /** False also while nothing is configured that could answer. */
  knows(agent: string): Promise<boolean>
  /** The agent's result, for review. An error that it throws is the reason why the task failed. */
  run(work: AgentWork): Promise<{ readonly text: string; readonly outputTokens: number }>
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
