import type { Machine } from '../schema.ts'

export const LANES = ['primary', 'agentic-fallback'] as const
export type Lane = (typeof LANES)[number]
export const LANE_STATES = ['connected', 'down', 'not-configured'] as const

/** Returns the minutes since a machine's last heartbeat; never below 0, even when the clock was set back. */
export function minutesSilent({ lastHeartbeatAt }: Pick<Machine, 'lastHeartbeatAt'>, now: Date): number {
  return Math.max(0, now.getTime() - Date.parse(lastHeartbeatAt)) / 60_000
}

/** Returns the lanes among its capabilities; a runner that names no lane serves the primary one. */
function lanesOf({ capabilities = [] }: Pick<Machine, 'capabilities'>): readonly Lane[] {
  const named = LANES.filter((lane) => capabilities.includes(lane))
  return named.length > 0 ? named : ['primary']
}

export interface LaneState {
  readonly lane: Lane
  readonly state: (typeof LANE_STATES)[number]
  /** The machine with the last heartbeat, and its time. */
  readonly host?: string
  readonly lastCheck?: string
}

/** Expects `machines` with the latest heartbeat first. */
export function laneState(lane: Lane, machines: readonly Machine[], thresholdMinutes: number, now: Date): LaneState {
  const latest = machines.find((machine) => lanesOf(machine).includes(lane))
  if (!latest) return { lane, state: 'not-configured' }
  const state = minutesSilent(latest, now) <= thresholdMinutes ? 'connected' : 'down'
  return { lane, state, host: latest.machine, lastCheck: latest.lastHeartbeatAt }
}
