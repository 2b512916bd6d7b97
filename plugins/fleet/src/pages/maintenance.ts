import { definePage, Panel } from '@gateway/sdk'
import { fleetMaintenanceEnter } from '../tools/fleet-maintenance-enter.ts'
import { fleetMaintenanceExit } from '../tools/fleet-maintenance-exit.ts'
import { fleetOverview } from '../tools/fleet-overview.ts'

const state = {
  State: {
    value: '/maintenance/active',
    format: 'badge',
    words: { true: 'paused', false: 'running' },
    tones: { true: 'warn', false: 'good' },
  },
  Why: '/maintenance/reason',
  Until: { value: '/maintenance/resumeAt', format: 'time' },
} as const

export const maintenancePage = definePage({
  path: '/maintenance',
  title: 'Maintenance',
  description: 'Pauses the whole fleet: nobody can claim a task meanwhile.',
  icon: 'wrench',
  group: 'fleet',
  order: 90,
  panels: [
    Panel.detail({
      id: 'state',
      title: 'Fleet',
      from: fleetOverview,
      record: '',
      fields: state,
      actions: [
        {
          id: 'maintenance',
          label: 'Pause the fleet',
          icon: 'wrench',
          tool: fleetMaintenanceEnter,
          form: ['reason', 'resumeInMinutes'],
          when: { pointer: '/maintenance/active', except: [true] },
          undo: { tool: fleetMaintenanceExit },
        },
        {
          id: 'resume',
          label: 'End maintenance',
          icon: 'play',
          tool: fleetMaintenanceExit,
          when: { pointer: '/maintenance/active', in: [true] },
        },
      ],
      empty: 'Nothing is known yet.',
    }),
  ],
})
