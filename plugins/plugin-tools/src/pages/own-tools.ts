import { arg, definePage, Panel } from '@gateway/sdk'
import { pluginToolsList } from '../tools/plugin-tools-list.ts'
import { pluginToolsRemove } from '../tools/plugin-tools-remove.ts'

export const ownToolsPage = definePage({
  path: '/own-tools',
  title: 'Own tools',
  description: 'Tools that this tenant has registered, in addition to those of the gateway.',
  icon: 'plug',
  group: 'library',
  order: 50,
  panels: [
    Panel.table({
      id: 'tools',
      title: 'Own tools',
      from: pluginToolsList,
      rows: '/tools',
      key: '/name',
      columns: {
        Name: { value: '/name', format: 'code' },
        What: '/description',
        URL: { value: '/handlerUrl', format: 'code' },
        Enabled: { value: '/enabled', format: 'boolean' },
        'Time limit': { value: '/timeoutMs', format: 'duration' },
        Updated: { value: '/updatedAt', format: 'time' },
        By: '/updatedBy',
      },
      actions: [
        {
          id: 'remove',
          label: 'Remove',
          icon: 'trash-2',
          tool: pluginToolsRemove,
          arguments: { name: arg.row('/name') },
          confirm: { object: arg.row('/name'), text: 'Agents can no longer call it. To restore it, register it again.', typed: true },
        },
      ],
      empty: 'No own tools yet. plugin_tools_register adds one.',
    }),
  ],
})
