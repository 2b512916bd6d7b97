import { arg, definePage, Panel } from '@gateway/sdk'
import { agentsGet } from '../routes/get.ts'

const name = arg.param('name')

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
      empty: 'This agent is not there.',
    }),
    Panel.markdown({
      id: 'instructions',
      title: 'Instructions',
      width: 'half',
      from: agentsGet,
      arguments: { name },
      text: '/instructions',
      empty: 'It has no instructions.',
    }),
  ],
})
