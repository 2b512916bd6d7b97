import { defineContribution } from '@gateway/sdk'

/** Figures a family adds to `health_status`, of the caller’s tenant. */
export interface HealthFigures {
  /** The status has a place for `vectors`, `schedules`, `providers`, `channels` and `repos`; any other name is not shown. */
  readonly name: string
  /** A few queries with a bound of their own. What fails or hangs is shown as unknown. */
  figures(): Promise<Readonly<Record<string, unknown>>>
}
export const healthFigures = defineContribution<HealthFigures>('health.figures')
