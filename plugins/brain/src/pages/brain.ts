import { arg, definePage, Panel } from '@gateway/sdk'
import { brainSearch } from '../tools/brain-search.ts'
import { brainStatus } from '../tools/brain-status.ts'

export const brainPage = definePage({
  path: '/brain',
  title: 'Brain',
  description: 'What agents have learned, under version control.',
  icon: 'brain',
  group: 'knowledge',
  order: 40,
  panels: [
    Panel.detail({
      id: 'status',
      title: 'State',
      from: brainStatus,
      record: '',
      fields: {
        Branch: { value: '/branch', format: 'code' },
        Atoms: { value: '/atoms/total', format: 'number' },
        'Of sessions': { value: '/atoms/session', format: 'number' },
        'Of handoffs': { value: '/atoms/handoff', format: 'number' },
        'Of memory': { value: '/atoms/memory', format: 'number' },
        'Last commit': '/lastCommit/subject',
        Committed: { value: '/lastCommit/at', format: 'time' },
      },
      empty: 'There is no brain yet: the first brain_commit makes it.',
    }),
    Panel.list({
      id: 'search',
      title: 'Search',
      from: brainSearch,
      filters: [{ argument: 'query', label: 'Question', placeholder: 'What do you look for?' }, 'repo'],
      rows: '/hits',
      key: '/id',
      head: '/title',
      text: '/text',
      fields: { Of: { value: '/corpus', format: 'badge' }, Repo: '/repo', At: { value: '/at', format: 'time' } },
      empty: 'Nothing is known yet.',
    }),
    Panel.table({
      id: 'namespaces',
      title: 'Namespaces',
      width: 'half',
      from: brainStatus,
      rows: '/namespaces',
      key: '/namespace',
      columns: {
        Namespace: '/namespace',
        Brief: { value: '/hasBrief', format: 'boolean' },
        Sessions: { value: '/atoms/session', format: 'number' },
        Handoffs: { value: '/atoms/handoff', format: 'number' },
      },
      empty: 'There is no namespace yet.',
    }),
    Panel.table({
      id: 'branches',
      title: 'Open branches',
      width: 'half',
      from: brainStatus,
      rows: '/openBranches',
      key: '/branch',
      columns: { Branch: { value: '/branch', format: 'code' }, Tip: { value: '/tip', format: 'code' } },
      open: { to: '/brain/diff', with: { to: arg.row('/branch') } },
      empty: 'No branch is open.',
    }),
  ],
})
