import { type AttentionItem, type AttentionSource, arg, attentionSource, contribute } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { Schedule } from '../schema.ts'
import { schedulesRunNow } from '../tools/schedules-run-now.ts'
import { schedulesUpdate } from '../tools/schedules-update.ts'

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
        items: items.map((schedule) => itemOf(schedule, 'has failed', schedule.lastRun ?? schedule.updatedAt)),
      }
    },
  }),
})

/** Schedules that the gateway has disabled, until a person enables or disables them. */
export const endedSchedules = contribute(attentionSource, {
  uses: { schedules },
  create: ({ schedules }): AttentionSource => ({
    kind: 'disabled-schedule',
    capability: 'configure',
    actions: [
      {
        id: 'enable',
        label: 'Switch on',
        icon: 'play',
        tool: schedulesUpdate,
        arguments: { scheduleId: arg.row('/id'), enabled: true },
        done: 'It is on, and you are responsible for it.',
      },
      {
        id: 'leave-off',
        label: 'Leave off',
        icon: 'pause',
        tool: schedulesUpdate,
        arguments: { scheduleId: arg.row('/id'), enabled: false },
      },
    ],
    async look(limit) {
      const where = { disabledAt: { exists: true } } as const
      const [count, { items }] = await Promise.all([
        schedules.count(where, { max: COUNT_UP_TO }),
        schedules.find({ where, sort: { disabledAt: -1 }, limit }),
      ])
      return { count, items: items.map((schedule) => itemOf(schedule, 'was disabled', schedule.disabledAt ?? schedule.updatedAt)) }
    },
  }),
})

function itemOf({ scheduleId, name, lastError }: Schedule, state: string, at: string): AttentionItem {
  return {
    id: scheduleId,
    title: `Schedule “${name}” ${state}`,
    ...(lastError !== undefined && { text: lastError.slice(0, 300) }),
    tone: 'bad',
    at,
    link: { to: '/schedules/:scheduleId', with: { scheduleId } },
  }
}
