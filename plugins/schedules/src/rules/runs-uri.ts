import { resourceUri } from '@gateway/sdk'

export const RUNS_URI = 'schedule://{scheduleId}/runs'
export const runsUri = (scheduleId: string): string => resourceUri(RUNS_URI, { scheduleId })
