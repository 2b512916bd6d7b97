import { arg, definePage, Panel } from '@gateway/sdk'
import { agentsInvoke } from '../tools/agents-invoke.ts'
import { agentsList } from '../tools/agents-list.ts'
import { skillsInvoke } from '../tools/skills-invoke.ts'
import { skillsList } from '../tools/skills-list.ts'

export const agentsPage = definePage({
  path: '/agents',
  title: 'Agents and skills',
  description: 'Agents and skills that can be asked, and their purpose.',
  icon: 'bot',
  group: 'library',
  order: 10,
  panels: [
    Panel.table({
      id: 'agents',
      title: 'Agents',
      from: agentsList,
      filters: ['category', 'search'],
      rows: '/agents',
      key: '/name',
      columns: {
        Name: '/name',
        Category: { value: '/category', format: 'badge' },
        What: '/description',
        Tools: { value: '/toolCount', format: 'number' },
        Tier: { value: '/tier', format: 'badge' },
        From: { value: '/origin', format: 'badge' },
      },
      open: { to: '/agents/:name', with: { name: arg.row('/name') } },
      actions: [
        {
          id: 'ask-agent',
          label: 'Ask',
          icon: 'message-square',
          tool: agentsInvoke,
          arguments: { agent: arg.row('/name') },
          form: ['message', 'repo'],
          shows: { kind: 'json', text: '' },
        },
      ],
      empty: 'No agent matches.',
    }),
    Panel.table({
      id: 'skills',
      title: 'Skills',
      from: skillsList,
      filters: ['search'],
      rows: '/skills',
      key: '/name',
      columns: {
        Name: '/name',
        What: '/description',
        'Called by': { value: '/triggers', format: 'badge' },
        Agent: '/agent',
        From: { value: '/origin', format: 'badge' },
      },
      actions: [
        {
          id: 'use-skill',
          label: 'Use',
          icon: 'play',
          tool: skillsInvoke,
          arguments: { skill: arg.row('/name') },
          form: ['message'],
          shows: { kind: 'json', text: '' },
        },
      ],
      empty: 'No skill matches.',
    }),
  ],
})
