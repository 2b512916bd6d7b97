import { arg, definePage, Panel } from '@gateway/sdk'
import { reposStatus } from '../tools/repos-status.ts'

const repo = arg.param('repo')

export const repoPage = definePage({
  path: '/repos/:repo',
  title: 'Repo',
  icon: 'folder-git-2',
  group: 'knowledge',
  panels: [
    Panel.detail({
      id: 'status',
      title: 'State',
      width: 'half',
      from: reposStatus,
      arguments: { repo },
      record: '',
      fields: {
        Name: '/name',
        Branch: { value: '/branch', format: 'code' },
        Head: { value: '/head', format: 'code' },
        Uncommitted: { value: '/uncommitted', format: 'number' },
        Ahead: { value: '/ahead', format: 'number' },
        Behind: { value: '/behind', format: 'number' },
        'Last handoff': { value: '/lastHandoff', format: 'time' },
        'Last state': { value: '/lastState', format: 'time' },
      },
      empty: 'Repo not found.',
    }),
    Panel.markdown({
      id: 'state',
      title: 'State file',
      width: 'half',
      from: 'state_read',
      arguments: { repo },
      text: '/content',
      empty: 'No state yet. state_update writes it.',
    }),
    Panel.table({
      id: 'tasks',
      title: 'Tasks',
      from: 'tasks_list',
      arguments: { repo },
      rows: '/tasks',
      key: '/taskId',
      columns: {
        Title: '/title',
        Status: { value: '/status', format: 'badge', tones: { working: 'info', done: 'good', dead_letter: 'bad' } },
        Priority: { value: '/priority', format: 'badge' },
        Created: { value: '/createdAt', format: 'time' },
      },
      open: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } },
      empty: { text: 'It has no task.', link: { to: '/tasks' } },
    }),
  ],
})
