import { arg, definePage, Panel } from '@gateway/sdk'
import { trashList } from '../tools/trash-list.ts'

const trashId = arg.row('/trashId')

export const trashPage = definePage({
  path: '/trash',
  title: 'Trash',
  description: 'Deleted records that can still be restored.',
  icon: 'trash-2',
  group: 'admin',
  order: 90,
  panels: [
    Panel.table({
      id: 'trash',
      title: 'Deleted',
      from: trashList,
      filters: ['kind', 'repo'],
      rows: '/entries',
      key: '/trashId',
      columns: {
        What: '/label',
        Kind: { value: '/kind', format: 'badge' },
        Repo: '/repo',
        Items: { value: '/itemCount', format: 'number' },
        'Deleted by': '/deletedBy',
        Why: '/reason',
        Deleted: { value: '/deletedAt', format: 'time' },
        'Gone for good': { value: '/purgeAfter', format: 'time' },
      },
      paging: { cursor: 'cursor', next: '/nextCursor' },
      actions: [
        {
          id: 'restore-task',
          label: 'Restore',
          icon: 'undo-2',
          tool: 'tasks_restore',
          arguments: { trashId },
          when: { pointer: '/kind', in: ['task'] },
        },
        {
          id: 'restore-plan',
          label: 'Restore',
          icon: 'undo-2',
          tool: 'plan_restore',
          arguments: { trashId },
          when: { pointer: '/kind', in: ['plan'] },
        },
      ],
      empty: 'The trash is empty.',
    }),
  ],
})
