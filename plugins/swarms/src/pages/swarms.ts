import { arg, definePage, Panel } from '@gateway/sdk'
import { swarmApprove } from '../tools/swarm-approve.ts'
import { swarmList } from '../tools/swarm-list.ts'
import { swarmPlan } from '../tools/swarm-plan.ts'
import { swarmStop } from '../tools/swarm-stop.ts'

const swarmId = arg.row('/swarmId')

/** Decisions of a person on a swarm, here and on its own page: both name it in `swarmId` of the row. */
export const decisions = [
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
    icon: 'circle-x',
    tone: 'bad',
    tool: swarmStop,
    arguments: { swarmId, reason: arg.asked('Why is it stopped?') },
    confirm: { object: arg.row('/goal'), text: 'Its open children are paused; an approval resumes it.' },
    when: { pointer: '/status', in: ['planning', 'paused', 'active'] },
    undo: {
      tool: swarmApprove,
      arguments: { swarmId: arg.before('/swarmId') },
      when: { pointer: '/status', in: ['active'] },
    },
  },
] as const

export const swarmsPage = definePage({
  path: '/swarms',
  title: 'Swarms',
  description: 'Groups of tasks that run after a person approved them.',
  icon: 'network',
  group: 'work',
  order: 20,
  actions: [
    {
      id: 'new-swarm',
      label: 'Plan a swarm',
      icon: 'plus',
      tone: 'primary',
      tool: swarmPlan,
      form: ['repo', 'goal', 'children', 'notes'],
      leads: { to: '/swarms/:swarmId', with: { swarmId: arg.row('/swarm/swarmId') } },
    },
  ],
  panels: [
    Panel.table({
      id: 'swarms',
      title: 'Swarms',
      from: swarmList,
      filters: ['status', 'repo'],
      rows: '/swarms',
      key: '/swarmId',
      columns: {
        Goal: '/goal',
        Status: {
          value: '/status',
          format: 'badge',
          tones: { planning: 'warn', paused: 'warn', active: 'info', stopped: 'neutral', done: 'good' },
        },
        Repo: '/repo',
        Children: { value: '/childCount', format: 'number' },
        'Tokens spent': { value: '/tokensSpent', format: 'number' },
        'Token budget': { value: '/tokenBudget', format: 'number' },
        'Planned by': { value: '/plannedBy', beside: '/plannedByPrincipal' },
        Created: { value: '/createdAt', format: 'time' },
      },
      open: { to: '/swarms/:swarmId', with: { swarmId } },
      actions: decisions,
      empty: { text: 'No swarm was planned yet.', action: 'new-swarm' },
    }),
  ],
})
