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
  /** Further machines whose heartbeats are recent enough. */
  readonly others?: string[]
}

/** Limit of the named further machines. */
const MAX_OTHERS = 20

/** Expects `machines` with the latest heartbeat first. */
export function laneState(lane: Lane, machines: readonly Machine[], thresholdMinutes: number, now: Date): LaneState {
  const [latest, ...further] = machines.filter((machine) => lanesOf(machine).includes(lane))
  if (!latest) return { lane, state: 'not-configured' }
  const isAlive = (machine: Machine): boolean => minutesSilent(machine, now) <= thresholdMinutes
  const others = further.filter(isAlive).map(({ machine }) => machine)
  return {
    lane,
    state: isAlive(latest) ? 'connected' : 'down',
    host: latest.machine,
    lastCheck: latest.lastHeartbeatAt,
    ...(others.length > 0 && { others: others.slice(0, MAX_OTHERS) }),
  }
}
