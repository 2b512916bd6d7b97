import { arg, definePage, Panel } from '@gateway/sdk'
import { listSessions } from '../routes/list.ts'

export const sessionsPage = definePage({
  path: '/sessions',
  title: 'Sessions',
  description: 'Conversations with agents, and sessions of agent hosts.',
  icon: 'messages-square',
  group: 'activity',
  order: 10,
  panels: [
    Panel.table({
      id: 'sessions',
      title: 'Sessions',
      from: listSessions,
      rows: '/sessions',
      key: '/sessionId',
      columns: {
        Agent: '/agentName',
        Status: { value: '/status', format: 'badge', tones: { active: 'info' } },
        Repo: '/repo',
        Machine: '/machine',
        Messages: { value: '/messageCount', format: 'number' },
        Updated: { value: '/updatedAt', format: 'time' },
      },
      open: { to: '/sessions/:id', with: { id: arg.row('/sessionId') } },
      empty: 'No sessions yet. The hooks of an agent host register theirs; POST /api/sessions begins a conversation.',
    }),
  ],
})
