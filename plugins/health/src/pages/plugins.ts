import { definePage, Panel } from '@gateway/sdk'
import { listPlugins } from '../routes/plugins-list.ts'

export const pluginsPage = definePage({
  path: '/plugins',
  title: 'Plugins',
  description: 'The plugins of this gateway: how they started, and their settings. Change settings in the config file or the environment.',
  icon: 'plug',
  group: 'admin',
  order: 15,
  panels: [
    Panel.table({
      id: 'plugins',
      title: 'Plugins',
      from: listPlugins,
      rows: '/plugins',
      key: '/id',
      columns: {
        Plugin: '/id',
        State: { value: '/outcome', format: 'badge', tones: { started: 'good', failed: 'bad' } },
        Description: '/description',
        Tools: { value: '/tools', format: 'number' },
        Start: { value: '/milliseconds', format: 'duration' },
        Settings: { value: '/settings', format: 'json' },
        Error: '/error',
      },
      empty: 'No plugins are running.',
    }),
  ],
})
