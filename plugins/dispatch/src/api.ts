import { closed, defineContribution, defineEvent, Type } from '@gateway/sdk'

/** What a family that keeps budgets knows of today. */
export interface BudgetState {
  /** What the tenant has spent today (UTC), in USD. */
  readonly spentTodayUsd: number
  /** Set when nothing more may be dispatched: why, for the caller to read. */
  readonly exhausted?: string
}

/** Asked before each dispatch cycle. One that is exhausted is enough to stop it; what they know of today’s spend adds up. */
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
 * Does the tasks of agents that run inside the gateway: contributed by the family that has agents and providers. Tasks of agents that
 * nobody knows are offered by mail.
 */
export interface DispatchRunner {
  /** False also while nothing is configured that could answer. */
  knows(agent: string): Promise<boolean>
  /** What the agent made of the task, for somebody to review. Whatever it throws is why the task failed. */
  run(work: AgentWork): Promise<{ readonly text: string; readonly outputTokens: number }>
}
export const dispatchRunner = defineContribution<DispatchRunner>('dispatch.runner')

/** A dispatch cycle has ended; `chatId` is the chat that is to hear of it, if any. For a family that delivers to chats. */
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
