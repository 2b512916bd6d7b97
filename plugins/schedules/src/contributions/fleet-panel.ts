import { fleetPanel } from '@gateway/plugin-fleet/api'
import { contribute } from '@gateway/sdk'
import { schedules } from '../collections.ts'

const MAX_COUNT = 1_000
const NEXT = 5

export const schedulesPanel = contribute(fleetPanel, {
  uses: { schedules },
  create: ({ schedules }) => ({
    name: 'schedules',
    async figures() {
      const where = { enabled: true }
      const [active, next] = await Promise.all([
        schedules.count(where, { max: MAX_COUNT }),
        schedules.find({ where, sort: { nextRun: 1 }, limit: NEXT }),
      ])
      return {
        active,
        countsStopAt: MAX_COUNT,
        next: next.items.map(({ scheduleId, name, nextRun, lastStatus }) => ({ scheduleId, name, nextRun, lastStatus })),
      }
    },
  }),
})
