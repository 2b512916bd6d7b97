import { type AttentionSource, arg, attentionSource, contribute } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { Schedule } from '../schema.ts'
import { schedulesRunNow } from '../tools/schedules-run-now.ts'

const COUNT_UP_TO = 1_000

export const failedSchedules = contribute(attentionSource, {
  uses: { schedules },
  create: ({ schedules }): AttentionSource => ({
    kind: 'failed-schedule',
    capability: 'configure',
    actions: [{ id: 'run-now', label: 'Run now', icon: 'play', tool: schedulesRunNow, arguments: { scheduleId: arg.row('/id') } }],
    async look(limit) {
      const where = { kind: { in: Schedule.properties.kind.enum }, lastStatus: 'error', enabled: true } as const
      const [count, { items }] = await Promise.all([
        schedules.count(where, { max: COUNT_UP_TO }),
        schedules.find({ where, sort: { nextRun: 1 }, limit }),
      ])
      return {
        count,
        items: items.map(({ scheduleId, name, lastError, lastRun, updatedAt }) => ({
          id: scheduleId,
          title: `Schedule “${name}” has failed`,
          ...(lastError !== undefined && { text: lastError.slice(0, 300) }),
          tone: 'bad',
          at: lastRun ?? updatedAt,
          link: { to: '/schedules/:scheduleId', with: { scheduleId } },
        })),
      }
    },
  }),
})
