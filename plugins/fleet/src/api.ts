import { defineContribution } from '@gateway/sdk'

/** Why a repo may need someone to look at it. The greater the weight, the sooner; dead-lettered tasks weigh 3 each, blocked ones 1. */
export interface RepoConcern {
  readonly repo: string
  readonly weight: number
  /** A few words, as “2 tasks blocked”. */
  readonly reason: string
}

/**
 * What a family adds to `fleet_overview`: figures under a name, and the repos it worries about. Each is a few queries with
 * a bound of their own; a panel that fails is reported as missing, and the others are shown.
 */
export interface FleetPanel {
  /** The overview has a place for `repos`, `schedules` and `spendToday`; any other name is shown beside them. */
  readonly name: string
  figures(): Promise<Readonly<Record<string, unknown>>>
  /** Those of the panel `repos` count the tasks of a repo, and stand in place of those that the overview makes of the queue. */
  concerns?(): Promise<readonly RepoConcern[]>
}
export const fleetPanel = defineContribution<FleetPanel>('fleet.panel')
