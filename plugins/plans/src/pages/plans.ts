import { arg, definePage, Panel } from '@gateway/sdk'
import { planDelete } from '../tools/plan-delete.ts'
import { planList } from '../tools/plan-list.ts'
import { planRestore } from '../tools/plan-restore.ts'

export const plansPage = definePage({
  path: '/plans',
  title: 'Plans',
  description: 'Planned work of each repo, day by day.',
  icon: 'calendar-days',
  group: 'work',
  order: 60,
  panels: [
    Panel.calendar({
      id: 'days',
      title: 'Days',
      from: planList,
      filters: ['repo'],
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/days',
      key: '/planDayId',
      at: '/fireAt',
      head: '/focus',
      fields: {
        Repo: '/repo',
        Task: { value: '/taskId', link: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } } },
        Status: { value: '/status', format: 'badge', tones: { done: 'good', blocked: 'bad', enabled: 'info', disabled: 'neutral' } },
      },
      actions: [
        {
          id: 'delete-plan',
          label: 'Delete plan',
          icon: 'trash-2',
          tone: 'bad',
          tool: planDelete,
          arguments: { repo: arg.row('/repo'), reason: arg.asked('Why is it deleted?') },
          confirm: { object: arg.row('/repo'), text: 'All days of this repo’s plan go to the trash, from where they can be restored.' },
          undo: { tool: planRestore, arguments: { trashId: arg.row('/trashId') } },
        },
      ],
      empty: 'No plans yet. plan_set creates one.',
    }),
  ],
})
