import { arg, definePage, Panel } from '@gateway/sdk'
import { brainGraph } from '../routes/graph.ts'
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
    Panel.commits({
      id: 'branches',
      title: 'Branches',
      from: brainGraph,
      filters: ['branch', 'repo', { argument: 'limit', label: 'Commits' }],
      rows: '/commits',
      key: '/sha',
      parents: '/parents',
      trunk: '/trunk',
      at: '/at',
      head: '/subject',
      fields: {
        Branch: { value: '/branch', format: 'badge', link: { to: '/brain/diff', with: { to: arg.row('/branch') } } },
        'Also the end of': { value: '/furtherBranches', format: 'badge' },
        Commit: { value: '/sha', format: 'code' },
      },
      open: { to: '/brain/diff', with: { from: arg.row('/before'), to: arg.row('/sha') } },
      empty: 'No commits yet. brain_commit writes one.',
    }),
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
