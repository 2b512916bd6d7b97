import { arg } from '@gateway/sdk'
import { schedulesUpdate } from '../tools/schedules-update.ts'

const back = (enabled: boolean) => ({ tool: schedulesUpdate, arguments: { scheduleId: arg.before('/scheduleId'), enabled } })

/** Actions of a page that disable a schedule and enable it again. */
export const switchActions = <Id>(scheduleId: Id) =>
  [
    {
      id: 'disable',
      label: 'Switch off',
      icon: 'pause',
      tool: schedulesUpdate,
      arguments: { scheduleId, enabled: false },
      when: { pointer: '/enabled', in: [true] },
      undo: back(true),
    },
    {
      id: 'enable',
      label: 'Switch on',
      icon: 'play',
      tool: schedulesUpdate,
      arguments: { scheduleId, enabled: true },
      when: { pointer: '/enabled', in: [false] },
      undo: back(false),
    },
  ] as const
