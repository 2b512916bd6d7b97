import { arg, definePage, Panel } from '@gateway/sdk'
import { reposActivity } from '../routes/activity.ts'
import { reposStatus } from '../tools/repos-status.ts'

const repo = arg.param('repo')
const activity = { from: reposActivity, arguments: { repo } } as const

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
    Panel.list({
      ...activity,
      id: 'holds',
      title: 'Worked on',
      width: 'half',
      rows: '/holds',
      key: '/id',
      head: { value: '/title', page: '/page' },
      fields: { Since: { value: '/at', format: 'time' }, Until: { value: '/until', format: 'time' } },
      empty: 'Nobody works in it at the moment.',
    }),
    Panel.list({
      ...activity,
      id: 'failed',
      title: 'Failed',
      width: 'half',
      rows: '/failed',
      key: '/id',
      head: { value: '/title', page: '/page' },
      text: '/error',
      fields: { When: { value: '/at', format: 'time' } },
      empty: 'Nothing has failed in it.',
    }),
    Panel.timeline({
      ...activity,
      id: 'timeline',
      title: 'Timeline',
      width: 'half',
      rows: '/timeline',
      key: '/key',
      at: '/at',
      head: { value: '/title', page: '/page' },
      text: '/error',
      fields: {
        Sort: {
          value: '/sort',
          format: 'badge',
          words: { holds: 'at work', did: 'done', told: 'mail' },
          tones: { failed: 'bad', did: 'good', holds: 'info', learned: 'info' },
        },
        Kind: { value: '/kind', format: 'badge' },
      },
      empty: 'Nothing has happened in it yet. Its tasks, runs, sessions, mail and memories show here.',
    }),
    Panel.table({
      id: 'tasks',
      title: 'Tasks',
      width: 'half',
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
