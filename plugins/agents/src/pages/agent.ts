import { arg, definePage, Panel } from '@gateway/sdk'
import { agentsActivity } from '../routes/activity.ts'
import { agentsGet } from '../routes/get.ts'
import { agentsInvoke } from '../tools/agents-invoke.ts'

const name = arg.param('name')

const activity = { from: agentsActivity, arguments: { name } } as const

export const agentPage = definePage({
  path: '/agents/:name',
  title: 'Agent',
  icon: 'bot',
  group: 'library',
  heading: 'parameter',
  actions: [
    {
      id: 'ask-agent',
      label: 'Ask',
      icon: 'message-square',
      tool: agentsInvoke,
      arguments: { agent: name },
      form: ['message', 'repo'],
      shows: { kind: 'markdown', text: '/text' },
    },
  ],
  panels: [
    Panel.list({
      ...activity,
      id: 'holds',
      title: 'Holds',
      width: 'two-thirds',
      rows: '/holds',
      key: '/id',
      head: { value: '/title', page: '/page' },
      fields: {
        Kind: { value: '/kind', format: 'badge' },
        Since: { value: '/at', format: 'time' },
        Until: { value: '/until', format: 'time' },
      },
      empty: 'It holds nothing at the moment.',
    }),
    Panel.stats({
      ...activity,
      id: 'spend',
      title: 'Last 30 days',
      width: 'third',
      items: { Spent: { value: '/spentUsd', format: 'money', link: { to: '/budgets' } } },
      empty: 'It has spent nothing.',
    }),
    Panel.timeline({
      ...activity,
      id: 'timeline',
      title: 'Timeline',
      width: 'two-thirds',
      rows: '/timeline',
      key: '/key',
      at: '/at',
      head: { value: '/title', page: '/page' },
      text: '/error',
      fields: {
        Event: {
          value: '/sort',
          format: 'badge',
          words: { holds: 'at work', did: 'done', told: 'mail' },
          tones: { failed: 'bad', did: 'good', holds: 'info', learned: 'info' },
        },
        Record: { value: '/kind', format: 'badge' },
      },
      empty: 'Nothing is known of it yet. Its tasks, sessions, mail and calls show here.',
    }),
    Panel.list({
      ...activity,
      id: 'failed',
      title: 'Failures',
      width: 'third',
      rows: '/failed',
      key: '/id',
      head: { value: '/title', page: '/page' },
      text: '/error',
      fields: { When: { value: '/at', format: 'time' } },
      empty: 'No failures.',
    }),
    Panel.detail({
      id: 'agent',
      title: 'Definition',
      width: 'third',
      from: agentsGet,
      arguments: { name },
      record: '',
      fields: {
        Category: { value: '/category', format: 'badge' },
        Purpose: '/description',
        Tools: { value: '/tools', format: 'code' },
        Tier: { value: '/tier', format: 'badge' },
        Runs: { value: '/runs', format: 'badge', words: { here: 'in the gateway', runner: 'on a runner' } },
        Standing: { value: '/standing', format: 'boolean' },
      },
      empty: 'It has no definition here: it is a worker, or the label of a key.',
      texts: { missing: 'It has no definition here: it is a worker, or the label of a key.' },
    }),
    Panel.markdown({
      id: 'instructions',
      title: 'Instructions',
      width: 'two-thirds',
      from: agentsGet,
      arguments: { name },
      text: '/instructions',
      empty: 'It has no instructions.',
      texts: { missing: 'It has no instructions.' },
    }),
  ],
})
