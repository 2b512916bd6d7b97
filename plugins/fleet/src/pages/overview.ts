import { arg, type OverviewPanel, Panel } from '@gateway/sdk'
import { fleetOverview } from '../tools/fleet-overview.ts'

export const overview: readonly OverviewPanel[] = [
  {
    order: 90,
    panel: Panel.list({
      id: 'repos',
      title: 'Repos that need a look',
      width: 'third',
      from: fleetOverview,
      rows: '/attention',
      key: '/repo',
      head: '/repo',
      fields: { Why: { value: '/reasons', format: 'badge' } },
      open: { to: '/repos/:repo', with: { repo: arg.row('/repo') } },
      link: { to: '/repos' },
      empty: 'No repo needs a look.',
    }),
  },
]
