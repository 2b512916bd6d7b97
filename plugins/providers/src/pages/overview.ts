import { type OverviewPanel, Panel } from '@gateway/sdk'
import { providerHealth } from '../tools/provider-health.ts'
import { breaker } from './providers.ts'

export const overview: readonly OverviewPanel[] = [
  {
    order: 70,
    panel: Panel.table({
      id: 'providers',
      title: 'Providers',
      width: 'third',
      from: providerHealth,
      everySeconds: 30,
      rows: '/providers',
      key: '/provider',
      columns: {
        Provider: '/provider',
        State: breaker,
        Calls: { value: '/counts/calls', format: 'number' },
        Failed: { value: '/counts/failed', format: 'number' },
      },
      link: { to: '/providers' },
      empty: 'No provider is configured. Set the API key of one in the environment of the gateway.',
    }),
  },
]
