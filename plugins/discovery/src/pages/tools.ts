import { definePage, Panel } from '@gateway/sdk'
import { toolsSearch } from '../tools/tools-search.ts'

export const toolsPage = definePage({
  path: '/tools',
  title: 'Tools',
  description: 'All tools that agents can call; search them by intent.',
  icon: 'hammer',
  group: 'library',
  order: 40,
  panels: [
    Panel.list({
      id: 'tools',
      title: 'Tools',
      from: toolsSearch,
      filters: [{ argument: 'query', label: 'Intent', initial: 'list', placeholder: 'claim a task' }, 'family'],
      rows: '/tools',
      key: '/name',
      head: { value: '/name', format: 'code' },
      text: '/description',
      fields: {
        Family: { value: '/family', format: 'badge' },
        Effect: { value: '/effect', format: 'badge', tones: { destructive: 'bad', write: 'warn' } },
      },
      empty: 'No tool matches.',
    }),
  ],
})
