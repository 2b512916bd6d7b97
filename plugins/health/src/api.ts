import { defineContribution } from '@gateway/sdk'

/** Figures that a family adds to `health_status`, for the caller's tenant. */
export interface HealthFigures {
  /** The status has places for `vectors`, `schedules`, `providers`, `channels` and `repos`; other names are not shown. */
  readonly name: string
  /** A few queries with their own bound. A source that fails or hangs is shown as unknown. */
  figures(): Promise<Readonly<Record<string, unknown>>>
}
export const healthFigures = defineContribution<HealthFigures>('health.figures')
