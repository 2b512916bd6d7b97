import { arg, definePage, Panel } from '@gateway/sdk'
import { reposList } from '../tools/repos-list.ts'
import { reposPriority } from '../tools/repos-priority.ts'
import { reposUpsert } from '../tools/repos-upsert.ts'

export const reposPage = definePage({
  path: '/repos',
  title: 'Repos',
  description: 'Repos that the fleet works on.',
  icon: 'folder-git-2',
  group: 'knowledge',
  order: 10,
  actions: [
    { id: 'add', label: 'Add repo', icon: 'plus', tone: 'primary', tool: reposUpsert, form: ['name', 'path', 'gitRemote', 'group'] },
  ],
  panels: [
    Panel.list({
      id: 'priority',
      title: 'Repos that need attention',
      from: reposPriority,
      rows: '/repos',
      key: '/name',
      head: '/name',
      fields: {
        Why: { value: '/reasons', format: 'badge' },
        'Open tasks': { value: '/openTasks', format: 'number' },
        'Stuck tasks': { value: '/stuckTasks', format: 'number' },
        'Last handoff': { value: '/lastHandoff', format: 'time' },
      },
      open: { to: '/repos/:repo', with: { repo: arg.row('/name') } },
      empty: 'No repo needs attention.',
    }),
    Panel.table({
      id: 'repos',
      title: 'All repos',
      from: reposList,
      rows: '/repos',
      key: '/name',
      columns: {
        Name: '/name',
        Group: { value: '/group', format: 'badge' },
        Health: { value: '/health', format: 'badge', tones: { ok: 'good', incomplete: 'warn', missing: 'bad' } },
        Stack: { value: '/stack', format: 'badge' },
        Enabled: { value: '/enabled', format: 'boolean' },
        Remote: { value: '/gitRemote', format: 'code' },
      },
      open: { to: '/repos/:repo', with: { repo: arg.row('/name') } },
      actions: [
        {
          id: 'leave-out',
          label: 'Disable',
          icon: 'eye-off',
          tool: reposUpsert,
          arguments: { name: arg.row('/name'), enabled: false },
          when: { pointer: '/enabled', in: [true] },
          undo: { tool: reposUpsert, arguments: { name: arg.before('/name'), enabled: true } },
        },
        {
          id: 'take-in',
          label: 'Enable',
          icon: 'eye',
          tool: reposUpsert,
          arguments: { name: arg.row('/name'), enabled: true },
          when: { pointer: '/enabled', in: [false] },
          undo: { tool: reposUpsert, arguments: { name: arg.before('/name'), enabled: false } },
        },
      ],
      empty: { text: 'No repo is known yet.', action: 'add' },
    }),
  ],
})
