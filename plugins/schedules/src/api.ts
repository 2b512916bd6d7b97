import { defineContribution } from '@gateway/sdk'
import type { Schedule } from './schema.ts'

export type { Schedule } from './schema.ts'

/** A call of a tool: what every run of a schedule is in the end. */
export interface ToolCall {
  readonly tool: string
  readonly args: object
}

/**
 * Makes schedules of kind `agent` or `skill` runnable: says which tool runs one, and with what arguments. The call is
 * made, authorized and audited as the principal who answers for the schedule.
 */
export interface ScheduleRunner {
  readonly kind: 'agent' | 'skill'
  call(schedule: Pick<Schedule, 'target' | 'message' | 'repo' | 'includeMemoryContext'>): ToolCall
}
export const scheduleRunner = defineContribution<ScheduleRunner>('schedules.runner')

/** Agents that are meant to run by themselves: `standing_agents_status` tells which of them no schedule runs. */
export interface StandingAgents {
  names(): Promise<readonly string[]>
}
export const standingAgents = defineContribution<StandingAgents>('schedules.standing-agents')
