import type { DashboardPage, Panel, Plugin } from '@gateway/sdk'

/** The first page of the dashboard, made of the panels that plugins contribute. Ids are those of one plugin, so each gets its plugin as a prefix. */
export function overviewOf(plugins: readonly Pick<Plugin, 'id' | 'overview'>[]): DashboardPage {
  const all = plugins.flatMap(({ id, overview }) =>
    overview.map(({ order, panel }) => ({ order, panel: { ...panel, id: `${id}-${panel.id}` } })),
  )
  const panels: readonly Panel[] = all.sort((a, b) => a.order - b.order).map(({ panel }) => panel)
  return {
    kind: 'page',
    path: '/',
    title: 'Overview',
    description: undefined,
    heading: undefined,
    icon: 'house',
    group: 'work',
    order: 0,
    panels,
    actions: [],
  }
}
