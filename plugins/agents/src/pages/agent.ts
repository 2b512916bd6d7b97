import { arg, definePage, Panel } from '@gateway/sdk'
import { agentsActivity } from '../routes/activity.ts'
import { agentsGet } from '../routes/get.ts'

const name = arg.param('name')

const deeds = (id: 'holds' | 'did' | 'failed', title: string, empty: string) =>
  Panel.table({
    id,
    title,
    from: agentsActivity,
    arguments: { name },
    rows: `/${id}`,
    key: '/id',
    columns: {
      Kind: { value: '/kind', format: 'badge' },
      Title: '/title',
      When: { value: '/at', format: 'time' },
      Until: { value: '/until', format: 'time' },
      Error: { value: '/error', format: 'code' },
    },
    empty,
  })

export const agentPage = definePage({
  path: '/agents/:name',
  title: 'Agent',
  icon: 'bot',
  group: 'knowledge',
  panels: [
    Panel.detail({
      id: 'agent',
      title: 'Agent',
      width: 'half',
      from: agentsGet,
      arguments: { name },
      record: '',
      fields: {
        Name: '/name',
        Category: { value: '/category', format: 'badge' },
        What: '/description',
        Tools: { value: '/tools', format: 'code' },
        Tier: { value: '/tier', format: 'badge' },
        Runs: { value: '/runs', format: 'badge' },
        Standing: { value: '/standing', format: 'boolean' },
      },
      empty: 'Agent not found.',
    }),
    Panel.markdown({
      id: 'instructions',
      title: 'Instructions',
      width: 'half',
      from: agentsGet,
      arguments: { name },
      text: '/instructions',
      empty: 'This agent has no instructions.',
    }),
    Panel.stats({
      id: 'spend',
      title: 'Last 30 days',
      from: agentsActivity,
      arguments: { name },
      items: { Spent: { value: '/spentUsd', format: 'money' } },
      empty: 'No spending yet.',
    }),
    deeds('holds', 'Holds', 'It holds nothing.'),
    deeds('did', 'Did', 'It has finished nothing yet.'),
    deeds('failed', 'Failed at', 'It has failed at nothing.'),
  ],
})
