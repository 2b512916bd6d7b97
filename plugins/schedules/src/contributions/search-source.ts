import { contribute, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { schedules } from '../collections.ts'

const MAX_SCHEDULES = 1_000

export const scheduleSearch = contribute(searchSource, {
  uses: { schedules },
  create: ({ schedules }) => ({
    kind: 'schedule',
    async find(query, limit) {
      const { items } = await schedules.find({ sort: { name: 1 }, limit: MAX_SCHEDULES })
      return nearest(query, items, ({ name, target }) => `${name} ${target}`, limit).map(({ scheduleId, name, target, nextRun }) => ({
        id: scheduleId,
        title: name,
        text: `runs ${target}`,
        at: nextRun,
        link: { to: '/schedules/:scheduleId', with: { scheduleId } },
      }))
    },
    titles: async (ids) => Object.fromEntries((await schedules.getMany(ids)).map(({ scheduleId, name }) => [scheduleId, name])),
  }),
})
