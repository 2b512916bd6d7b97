import { healthFigures } from '@gateway/plugin-health/api'
import { contribute } from '@gateway/sdk'
import { schedules } from '../collections.ts'

const MAX_COUNT = 10_000

export const scheduleFigures = contribute(healthFigures, {
  uses: { schedules },
  create: ({ schedules }) => ({
    name: 'schedules',
    figures: async () => ({ active: await schedules.count({ enabled: true }, { max: MAX_COUNT }) }),
  }),
})
