import { arg, definePage, Panel } from '@gateway/sdk'
import { connectorsList } from '../tools/connectors-list.ts'
import { connectorsRemove } from '../tools/connectors-remove.ts'
import { connectorsSet } from '../tools/connectors-set.ts'
import { connectorsToggle } from '../tools/connectors-toggle.ts'

const key = arg.row('/key')

export const connectorsPage = definePage({
  path: '/connectors',
  title: 'Connectors',
  description: 'MCP servers that clients use in addition to this gateway.',
  icon: 'cable',
  group: 'library',
  order: 60,
  actions: [
    {
      id: 'set',
      label: 'Add or change',
      icon: 'plus',
      tool: connectorsSet,
      form: ['key', 'label', 'category', 'transport', 'url', 'command', 'description'],
    },
  ],
  panels: [
    Panel.table({
      id: 'connectors',
      title: 'Connectors',
      from: connectorsList,
      rows: '/connectors',
      key: '/key',
      columns: {
        Name: '/label',
        Category: { value: '/category', format: 'badge' },
        What: '/description',
        Transport: { value: '/transport', format: 'badge' },
        Enabled: { value: '/enabled', format: 'boolean' },
        'Needs in its environment': { value: '/requiresEnv', format: 'code' },
        From: { value: '/source', format: 'badge' },
      },
      actions: [
        {
          id: 'enable',
          label: 'Switch on',
          icon: 'play',
          tool: connectorsToggle,
          arguments: { key, enabled: true },
          when: { pointer: '/enabled', in: [false] },
          undo: { tool: connectorsToggle, arguments: { key: arg.before('/key'), enabled: false } },
        },
        {
          id: 'disable',
          label: 'Switch off',
          icon: 'pause',
          tool: connectorsToggle,
          arguments: { key, enabled: false },
          when: { pointer: '/enabled', in: [true] },
          undo: { tool: connectorsToggle, arguments: { key: arg.before('/key'), enabled: true } },
        },
        {
          id: 'remove',
          label: 'Remove',
          icon: 'trash-2',
          tool: connectorsRemove,
          arguments: { key },
          confirm: { object: arg.row('/label'), text: 'Clients no longer get it.', typed: true },
        },
      ],
      empty: { text: 'There is no connector.', action: 'set' },
    }),
  ],
})
