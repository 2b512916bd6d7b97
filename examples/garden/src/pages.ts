import { arg, definePage, Panel } from '@gateway/sdk'
import { clear, dig, list, look, water } from './tools.ts'

export const garden = definePage({
  path: '/garden',
  title: 'Garden',
  icon: 'sprout',
  group: 'work',
  actions: [{ id: 'dig', label: 'Dig a bed', icon: 'shovel', tone: 'primary', tool: dig, form: 'all' }],
  panels: [
    Panel.table({
      id: 'beds',
      title: 'Beds',
      from: list,
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/beds',
      key: '/bedId',
      columns: {
        Plant: '/plant',
        'Size (m²)': { value: '/squareMetres', format: 'number' },
        Watered: { value: '/wateredAt', format: 'time' },
      },
      open: { to: '/garden/:bedId', with: { bedId: arg.row('/bedId') } },
      actions: [
        { id: 'water', label: 'Water', icon: 'droplet', tool: water, arguments: { bedId: arg.row('/bedId') } },
        {
          id: 'clear',
          label: 'Clear',
          tool: clear,
          arguments: { bedId: arg.row('/bedId') },
          confirm: { object: arg.row('/plant'), text: 'The bed is gone for good, with all that grows in it.', typed: true },
        },
      ],
      empty: { text: 'There is no bed yet.', action: 'dig' },
    }),
  ],
})

export const bed = definePage({
  path: '/garden/:bedId',
  title: 'Bed',
  icon: 'sprout',
  group: 'work',
  panels: [
    Panel.detail({
      id: 'bed',
      title: 'Bed',
      width: 'half',
      from: look,
      arguments: { bedId: arg.param('bedId') },
      record: '/bed',
      fields: {
        Plant: '/plant',
        'Size (m²)': { value: '/squareMetres', format: 'number' },
        Watered: { value: '/wateredAt', format: 'time' },
      },
      empty: 'Bed not found.',
    }),
    Panel.timeline({
      id: 'waterings',
      title: 'Waterings',
      width: 'half',
      from: look,
      arguments: { bedId: arg.param('bedId') },
      rows: '/bed/waterings',
      key: '/at',
      at: '/at',
      head: '/by',
      empty: 'No waterings yet.',
    }),
  ],
})
