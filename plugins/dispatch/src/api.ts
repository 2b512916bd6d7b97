import { defineContribution, defineEvent, Type } from '@gateway/sdk'

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

/** A dispatch cycle has ended; `chatId` is the chat that is to hear of it, if any. For a family that delivers to chats. */
export const dispatchCycled = defineEvent(
  'dispatch.cycle',
  Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      dispatched: Type.Array(
        Type.Object({ taskId: Type.String(), title: Type.String(), to: Type.String() }, { additionalProperties: false }),
      ),
      reason: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
)
