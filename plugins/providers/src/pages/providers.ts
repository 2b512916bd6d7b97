import { arg, definePage, Panel } from '@gateway/sdk'
import { providerHealth } from '../tools/provider-health.ts'
import { providerMaintenanceEnter } from '../tools/provider-maintenance-enter.ts'
import { providerMaintenanceExit } from '../tools/provider-maintenance-exit.ts'
import { providerReset } from '../tools/provider-reset.ts'
import { routingConfig } from '../tools/routing-config.ts'

const provider = arg.row('/provider')

export const breaker = {
  value: '/circuitBreaker/state',
  format: 'badge',
  tones: { closed: 'good', 'half-open': 'warn', open: 'bad' },
  words: { closed: 'answers', 'half-open': 'on trial', open: 'does not answer' },
} as const

export const providersPage = definePage({
  path: '/providers',
  title: 'Providers',
  description: 'Model providers, their health, and the order in which they are used.',
  icon: 'cpu',
  group: 'fleet',
  order: 70,
  panels: [
    Panel.table({
      id: 'providers',
      title: 'Providers',
      from: providerHealth,
      everySeconds: 10,
      rows: '/providers',
      key: '/provider',
      columns: {
        Provider: '/provider',
        Status: { value: '/status', format: 'badge', tones: { active: 'good', draining: 'warn', maintenance: 'warn' } },
        Breaker: breaker,
        Calls: { value: '/counts/calls', format: 'number' },
        Failed: { value: '/counts/failed', format: 'number' },
        'Rate limited': { value: '/counts/rateLimited', format: 'number' },
        'In flight': { value: '/counts/inFlight', format: 'number' },
        Queued: { value: '/counts/queued', format: 'number' },
        Next: '/failover/next',
      },
      actions: [
        { id: 'reset', label: 'Close circuit breaker', icon: 'rotate-ccw', tool: providerReset, arguments: { provider } },
        {
          id: 'maintain',
          label: 'Maintenance',
          icon: 'wrench',
          tool: providerMaintenanceEnter,
          arguments: { provider, reason: arg.asked('Why?') },
          when: { pointer: '/status', in: ['active'] },
          undo: { tool: providerMaintenanceExit, arguments: { provider: arg.before('/provider') } },
        },
        {
          id: 'resume',
          label: 'End maintenance',
          icon: 'play',
          tool: providerMaintenanceExit,
          arguments: { provider },
          when: { pointer: '/status', in: ['draining', 'maintenance'] },
        },
      ],
      empty: 'No providers yet. Add one under plugins.providers.providers in the config file.',
    }),
    Panel.log({
      id: 'decisions',
      title: 'Latest routing decisions',
      width: 'half',
      from: providerHealth,
      rows: '/recentRoutingDecisions',
      text: '/reason',
      at: '/at',
      fields: { Provider: '/provider', Model: { value: '/model', format: 'code' }, Tier: { value: '/tier', format: 'badge' } },
      empty: 'No calls since the start.',
    }),
    Panel.table({
      id: 'tiers',
      title: 'Tiers',
      width: 'half',
      from: routingConfig,
      rows: '/tiers',
      key: '/tier',
      columns: { Tier: '/tier', What: '/description', Models: { value: '/models', format: 'json' } },
      empty: 'No tiers.',
    }),
  ],
})
