import { arg, definePage, Panel } from '@gateway/sdk'
import { swarmApprove } from '../tools/swarm-approve.ts'
import { swarmGet } from '../tools/swarm-get.ts'
import { swarmStop } from '../tools/swarm-stop.ts'
import { swarmUpdateBudget } from '../tools/swarm-update-budget.ts'

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
      fields: {
        Goal: '/goal',
        Status: {
          value: '/status',
          format: 'badge',
          tones: { planning: 'warn', paused: 'warn', active: 'info', done: 'good' },
        },
        'Paused by': { value: '/pausedBy', format: 'badge', tones: { budget: 'bad' } },
        Repo: '/repo',
        'Tokens spent': { value: '/tokensSpent', format: 'number' },
        'Token budget': { value: '/tokenBudget', format: 'number' },
        'Planned by': '/plannedBy',
        'Approved by': '/approvedBy',
        Approved: { value: '/approvedAt', format: 'time' },
        'Stopped by': '/stoppedBy',
        'Why it was stopped': '/stopReason',
        'Who took part': { value: '/participants', format: 'badge' },
        Serves: { value: '/parentTaskId', link: { to: '/tasks/:taskId', with: { taskId: arg.row('/parentTaskId') } } },
        Notes: '/notes',
        Created: { value: '/createdAt', format: 'time' },
        Completed: { value: '/completedAt', format: 'time' },
      },
      actions: [
        {
          id: 'approve',
          label: 'Approve',
          icon: 'check',
          tone: 'primary',
          tool: swarmApprove,
          arguments: { swarmId },
          confirm: { object: arg.row('/goal'), text: 'Its paused children go to the queue, and agents begin to work on them.' },
          when: { pointer: '/status', in: ['planning', 'paused', 'stopped'] },
        },
        {
          id: 'stop',
          label: 'Stop',
          icon: 'octagon-x',
          tone: 'bad',
          tool: swarmStop,
          arguments: { swarmId, reason: arg.asked('Why is it stopped?') },
          confirm: { object: arg.row('/goal'), text: 'Its open children are paused; an approval lets it go on.' },
          when: { pointer: '/status', in: ['planning', 'paused', 'active'] },
        },
        { id: 'budget', label: 'Set the budget', icon: 'gauge', tool: swarmUpdateBudget, arguments: { swarmId }, form: ['tokenBudget'] },
      ],
      empty: 'This swarm is not there.',
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
          value: '/displayStatus',
          format: 'badge',
          tones: { running: 'info', done: 'good', blocked: 'bad', paused: 'neutral', pending: 'neutral' },
        },
        Priority: { value: '/priority', format: 'badge' },
        Agent: '/agent',
        'Claimed by': '/claimedBy',
        'Waits for': { value: '/dependsOn', format: 'code' },
        'Pull request': '/prUrl',
      },
      open: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } },
      empty: 'It has no children.',
    }),
  ],
})
