import { arg, definePage, Panel } from '@gateway/sdk'
import { swarmGet } from '../tools/swarm-get.ts'
import { swarmUpdateBudget } from '../tools/swarm-update-budget.ts'
import { decisions } from './swarms.ts'

const swarmId = arg.param('swarmId')

export const swarmPage = definePage({
  path: '/swarms/:swarmId',
  title: 'Swarm',
  icon: 'network',
  group: 'work',
  panels: [
    Panel.detail({
      id: 'swarm',
      title: 'Swarm',
      from: swarmGet,
      arguments: { swarmId },
      record: '/swarm',
      names: '/goal',
      fields: {
        Status: {
          value: '/status',
          format: 'badge',
          tones: { planning: 'warn', paused: 'warn', active: 'info', done: 'good' },
        },
        'Paused by': { value: '/pausedBy', format: 'badge', tones: { budget: 'bad' } },
        Repo: '/repo',
        'Tokens spent': { value: '/tokensSpent', format: 'number' },
        'Token budget': { value: '/tokenBudget', format: 'number' },
        'Budget set by': { value: '/budgetSetBy', beside: '/budgetSetByPrincipal' },
        'Planned by': { value: '/plannedBy', beside: '/plannedByPrincipal' },
        'Approved by': { value: '/approvedBy', beside: '/approvedByPrincipal' },
        Approved: { value: '/approvedAt', format: 'time' },
        'Stopped by': { value: '/stoppedBy', beside: '/stoppedByPrincipal' },
        'Why it was stopped': '/stopReason',
        'Who took part': { value: '/participants', format: 'badge' },
        Serves: { value: '/parentTaskId', titleOf: 'task', link: { to: '/tasks/:taskId', with: { taskId: arg.row('/parentTaskId') } } },
        Notes: '/notes',
        Created: { value: '/createdAt', format: 'time' },
        Completed: { value: '/completedAt', format: 'time' },
      },
      actions: [
        ...decisions,
        { id: 'budget', label: 'Set the budget', icon: 'gauge', tool: swarmUpdateBudget, arguments: { swarmId }, form: ['tokenBudget'] },
      ],
      empty: 'Swarm not found.',
    }),
    Panel.graph({
      id: 'order',
      title: 'Order of its children',
      from: swarmGet,
      arguments: { swarmId },
      nodes: '/children',
      node: { id: '/taskId', label: '/title', group: '/displayStatus', after: '/dependsOn' },
      open: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } },
      empty: 'This swarm has no children.',
    }),
    Panel.table({
      id: 'children',
      title: 'Children',
      from: swarmGet,
      arguments: { swarmId },
      rows: '/children',
      key: '/taskId',
      columns: {
        Title: '/title',
        Status: {
          value: '/status',
          format: 'badge',
          tones: { working: 'info', review: 'warn', done: 'good', blocked: 'bad', dead_letter: 'bad' },
        },
        Priority: { value: '/priority', format: 'badge' },
        Agent: '/agent',
        'Claimed by': '/claimedBy',
        'Waits for': { value: '/dependsOn', titleOf: 'task' },
        'Pull request': '/prUrl',
      },
      open: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } },
      empty: 'This swarm has no children.',
    }),
  ],
})
