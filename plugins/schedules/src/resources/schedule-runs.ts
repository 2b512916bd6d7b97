import { resourceOf } from '@gateway/sdk'
import { scheduleRuns } from '../routes/runs.ts'
import { RUNS_URI } from '../rules/runs-uri.ts'

export const scheduleRunsResource = resourceOf(scheduleRuns, {
  uri: RUNS_URI,
  name: 'schedule-runs',
  description: 'The runs of a schedule that have ended, newest first. Subscribers are notified of each run that ends.',
})
