import { closed, defineContribution, defineEvent, Type } from '@gateway/sdk'
import { Run, type Schedule } from './schema.ts'

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
  /** False for a target that does not exist: no schedule is created for it. */
  knows(target: string): Promise<boolean>
  call(schedule: Pick<Schedule, 'target' | 'message' | 'repo' | 'includeMemoryContext'>): ToolCall
}
export const scheduleRunner = defineContribution<ScheduleRunner>('schedules.runner')

/** Outcome of a delivery. `later`: the same may work at another time, so the result is delivered again. */
export type RunDelivery = 'delivered' | 'refused' | 'later'

/** Delivers the results of runs to named channels; a `deliverTo` that no contributor has is a mail address. */
export interface RunChannels {
  has(name: string): boolean
  /** Resolves within two minutes, when the channel has the message or has failed. An exception counts as `later`. */
  deliver(name: string, result: { readonly title: string; readonly text: string; readonly failed: boolean }): Promise<RunDelivery>
}
export const runChannels = defineContribution<RunChannels>('schedules.run-channels')

const { runId, startedAt, endedAt, status, error, traceId, costUsd } = Run.properties
/** Emitted when a run of a schedule has ended. Its result is in `GET /api/schedules/{scheduleId}/runs`. */
export const scheduleRan = defineEvent(
  'schedules.ran',
  Type.Object(
    {
      scheduleId: Type.String(),
      name: Type.String(),
      kind: Type.String(),
      target: Type.String(),
      runId,
      startedAt,
      endedAt,
      status,
      error,
      traceId,
      costUsd,
    },
    closed,
  ),
  { public: 'A run of a schedule has ended, in success or in error. The event has no result; the runs of the schedule have it.' },
)

/** Agents that are meant to run in the background: `standing_agents_status` reports which of them no schedule runs. */
export interface StandingAgents {
  names(): Promise<readonly string[]>
}
export const standingAgents = defineContribution<StandingAgents>('schedules.standing-agents')
