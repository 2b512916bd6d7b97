import { defineContribution } from '@gateway/sdk'
import type { Schedule } from './schema.ts'

export type { Schedule } from './schema.ts'

/** A call of a tool: every run of a schedule results in one. */
export interface ToolCall {
  readonly tool: string
  readonly args: object
}

/**
 * Makes schedules of kind `agent` or `skill` runnable: returns the tool that runs such a schedule, and its arguments. The call is
 * made, authorized and audited as the principal who answers for the schedule.
 */
export interface ScheduleRunner {
  readonly kind: 'agent' | 'skill'
  call(schedule: Pick<Schedule, 'target' | 'message' | 'repo' | 'includeMemoryContext'>): ToolCall
}
export const scheduleRunner = defineContribution<ScheduleRunner>('schedules.runner')

/** Agents that are meant to run in the background: `standing_agents_status` reports which of them no schedule runs. */
export interface StandingAgents {
  names(): Promise<readonly string[]>
}
export const standingAgents = defineContribution<StandingAgents>('schedules.standing-agents')
