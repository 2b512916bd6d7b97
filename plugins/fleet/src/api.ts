import { defineContribution } from '@gateway/sdk'

/** Reason why a repo may need attention. A greater weight comes sooner; dead-lettered tasks weigh 3 each, blocked ones 1. */
export interface RepoConcern {
  readonly repo: string
  readonly weight: number
  /** A few words, such as "2 tasks blocked". */
  readonly reason: string
}

/**
 * The part of a family in `fleet_overview`: figures under a name, and the repos that need attention. Each is a few queries with a
 * bound of their own; a panel that fails is reported as missing, and the others are shown.
 */
export interface FleetPanel {
  /** The overview has a place for `repos`, `schedules` and `spendToday`; any other name is shown next to them. */
  readonly name: string
  figures(): Promise<Readonly<Record<string, unknown>>>
  /** Concerns of the panel `repos` count the tasks of a repo, and replace those that the overview derives from the queue. */
  concerns?(): Promise<readonly RepoConcern[]>
}
export const fleetPanel = defineContribution<FleetPanel>('fleet.panel')
