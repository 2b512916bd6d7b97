import { arg, definePage, Panel } from '@gateway/sdk'
import { brainSearch } from '../tools/brain-search.ts'
import { brainStatus } from '../tools/brain-status.ts'

export const brainPage = definePage({
  path: '/brain',
  title: 'Brain',
  description: 'Knowledge that agents have gathered, under version control.',
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
      empty: 'No brain yet. The first brain_commit creates it.',
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
      fields: { Kind: { value: '/corpus', format: 'badge' }, Repo: '/repo', At: { value: '/at', format: 'time' } },
      empty: 'No atoms yet. brain_commit adds one.',
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
      empty: 'No namespaces yet.',
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
      empty: 'No open branches.',
    }),
  ],
})
