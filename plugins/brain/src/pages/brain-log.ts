import { arg, definePage, Panel } from '@gateway/sdk'
import { brainBlame } from '../tools/brain-blame.ts'
import { brainLog } from '../tools/brain-log.ts'

export const brainLogPage = definePage({
  path: '/brain/log',
  title: 'Brain log',
  description: 'Commits of the brain, and the code they are about.',
  icon: 'git-commit-horizontal',
  group: 'knowledge',
  order: 41,
  panels: [
    Panel.timeline({
      id: 'log',
      title: 'Commits',
      width: 'half',
      from: brainLog,
      filters: [{ argument: 'ref', label: 'Branch' }, 'path'],
      rows: '/commits',
      key: '/sha',
      at: '/date',
      head: '/subject',
      fields: { Commit: { value: '/sha', format: 'code' } },
      open: { to: '/brain/diff', with: { to: arg.row('/sha') } },
      empty: 'No commits yet. brain_commit writes one.',
    }),
    Panel.table({
      id: 'blame',
      title: 'Related code',
      width: 'half',
      from: brainBlame,
      filters: [{ argument: 'code_sha', label: 'Code commit' }],
      rows: '/entries',
      key: '/path',
      columns: {
        Title: '/title',
        Repo: '/repo',
        'Code commits': { value: '/codeShas', format: 'code' },
        At: { value: '/at', format: 'time' },
      },
      empty: 'No atom names a code commit.',
    }),
  ],
})
