import { type Action, defined, type Field, type Panel, type PanelView, type Uses } from '@gateway/sdk'
import { nameOf, propertiesOf } from './bindings.ts'
import { boardColumns, tableColumns } from './panel-fields.ts'
import { actionView, actionViews, callView, fieldView, fieldViews, filterView, inWords, linkView, type Sight } from './view-parts.ts'

/** Further parts of a panel: the collections that an operation reads, and the actions that it may offer. */
export interface PanelSurroundings extends Sight {
  readonly live: (uses: Uses) => readonly string[]
  readonly hasAction: (id: string) => boolean
}

/** A panel as the caller sees it; undefined if the caller may not call its source. */
export function panelView(panel: Panel, sight: PanelSurroundings): PanelView | undefined {
  const { id, title, width = 'full', kind } = panel
  if (kind === 'form') {
    const action = actionView(panel.action as Action<unknown>, sight)
    return action && { id, title, width, kind, action }
  }
  const operation = sight.operations.get(nameOf(panel.from ?? ''))
  if (operation === undefined) return undefined
  const { empty = '', texts = {} } = panel
  const next = nextStep(panel, sight)
  const link = linkView(panel.link, sight)
  return {
    kind,
    id,
    title,
    width,
    ...defined({ link }),
    source: {
      ...callView(operation, panel.arguments),
      live: sight.live(operation.uses),
      ...defined({ everySeconds: panel.everySeconds, limit: propertiesOf(operation).limit?.default }),
    },
    filters: (panel.filters ?? []).map((filter) => filterView(filter, operation)),
    texts: {
      loading: `Loading ${lower(title)} …`,
      empty: typeof empty === 'string' ? empty : empty.text,
      unmatched: 'No matches for these filters.',
      failed: `${title} could not be read.`,
      ...texts,
    },
    ...(next && { next }),
    ...(panel.paging && { paging: panel.paging }),
    ...partsOf(panel, sight),
  } as unknown as PanelView
}

/** Keeps titles that are all capitals. */
const lower = (title: string): string => (/^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title)

function nextStep({ empty }: Panel, sight: PanelSurroundings): object | undefined {
  if (typeof empty !== 'object') return undefined
  if ('action' in empty) return sight.hasAction(empty.action) ? { action: empty.action } : undefined
  const link = linkView(empty.link, sight)
  return link && { link }
}

function partsOf(panel: Panel, sight: Sight): object {
  const { rows, key, at, until, level, x, chart, record, nodes, node, edges, edge, column } = panel
  const open = linkView(panel.open, sight)
  const fields = fieldViews(panel.fields, sight)
  const title = fieldView('', panel.head ?? '', sight)
  const text = panel.text === undefined ? undefined : fieldView('', panel.text as Field<unknown>, sight)
  const actions = actionViews(panel.actions, sight)
  const opening = { ...(open && { open }) }
  switch (panel.kind) {
    case 'stats':
      return { items: fieldViews(panel.items, sight) }
    case 'table':
      return { rows, key, columns: fieldViews(tableColumns(panel), sight), fields, actions, ...opening }
    case 'list':
      return { rows, key, item: { title, ...(text && { text }), fields }, actions, ...opening }
    case 'board': {
      const move = panel.move && actionView(panel.move, sight)
      const columns = boardColumns(panel).map(({ value, label = inWords(value), tone = 'neutral' }) => ({ value, label, tone }))
      return { rows, key, column, columns, card: { title, fields }, actions, ...(move && { move }), ...opening }
    }
    case 'detail':
      return { record, fields, ...defined({ names: panel.names }), actions }
    case 'timeline':
      return { rows, key, at, head: title, ...(text && { text }), fields, ...opening }
    case 'waterfall':
      return { rows, key, head: title, start: panel.start, end: panel.end, fields }
    case 'series':
      return { rows, x, lines: fieldViews(panel.lines, sight), chart: chart ?? 'line' }
    case 'heatmap':
      return { rows, x, lines: fieldViews(panel.lines, sight) }
    case 'calendar':
      return { rows, key, at, ...defined({ until }), head: title, fields, actions, ...opening }
    case 'graph':
      return { nodes, node, edges, edge, ...opening }
    case 'commits':
      return { rows, key, parents: panel.parents, ...defined({ trunk: panel.trunk }), at, head: title, fields, ...opening }
    case 'log':
      return { rows, text: text?.value, ...defined({ at, level }), fields }
    default:
      return { text: text?.value }
  }
}
