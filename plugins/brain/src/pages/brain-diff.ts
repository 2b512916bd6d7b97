import { arg, definePage, Panel } from '@gateway/sdk'
import { brainDiff } from '../tools/brain-diff.ts'

export const brainDiffPage = definePage({
  path: '/brain/diff',
  title: 'Brain diff',
  description: 'The differences between two commits or branches.',
  icon: 'diff',
  group: 'knowledge',
  order: 42,
  panels: [
    Panel.table({
      id: 'files',
      title: 'Files',
      from: brainDiff,
      filters: ['from', { argument: 'to', label: 'To' }, 'path'],
      rows: '/files',
      key: '/path',
      columns: {
        Path: { value: '/path', format: 'code' },
        Status: { value: '/status', format: 'badge' },
        Added: { value: '/insertions', format: 'number' },
        Removed: { value: '/deletions', format: 'number' },
      },
      open: { to: '/brain/diff', with: { path: arg.row('/path'), from: arg.query('from'), to: arg.query('to') } },
      empty: 'No differences.',
      texts: { missing: 'The brain has no such commit or branch. It begins with the first brain_commit.' },
    }),
    Panel.diff({
      id: 'patch',
      title: 'Changes',
      from: brainDiff,
      arguments: { patch: true },
      filters: ['from', { argument: 'to', label: 'To' }, 'path'],
      text: '/patch',
      empty: 'No differences.',
      texts: { missing: 'The brain has no such commit or branch. It begins with the first brain_commit.' },
    }),
  ],
})
