import { healthFigures } from '@gateway/plugin-health/api'
import { contribute } from '@gateway/sdk'
import { vectors } from '../collections.ts'

const MAX_COUNT = 100_000

export const vectorFigures = contribute(healthFigures, {
  uses: { vectors },
  create: ({ vectors }) => ({
    name: 'vectors',
    figures: async () => ({ count: await vectors.count({}, { max: MAX_COUNT }), countsStopAt: MAX_COUNT }),
  }),
})
