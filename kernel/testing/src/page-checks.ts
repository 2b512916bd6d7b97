import { ok } from 'node:assert/strict'
import { type ArgumentView, type DashboardView, type PanelView, type Plugin, type SourceView, valueAt } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from './gateway.ts'
import type { PluginCheck, PluginCheckOptions } from './plugin-check.ts'

/** Value of a page's path parameter when no data exists yet. */
const UNKNOWN = 'unknown-1'

/** Requests each page as a client does: its panels' tools answer, and the values are where the panel looks. */
export function pageChecks(plugin: Plugin, { with: others = [] }: Pick<PluginCheckOptions, 'with'>): readonly PluginCheck[] {
  const ofOverview = {
    promise: 'overview: each panel is answered, and finds what it shows',
    async run() {
      await using gateway = await startTestGateway({ plugins: [...others, plugin] })
      const { overview } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages' })).json() as DashboardView
      const own = overview.filter(({ id }) => plugin.overview.some(({ panel }) => id === `${plugin.id}-${panel.id}`))
      for (const panel of own) if (panel.kind !== 'form') await checkPanel(gateway, panel)
    },
  }
  const ofPages = plugin.pages.map(({ path }) => ({
    promise: `page ${path}: each panel is answered, and finds what it shows`,
    async run() {
      await using gateway = await startTestGateway({ plugins: [...others, plugin] })
      const { pages } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages' })).json() as DashboardView
      const page = pages.find((one) => one.path === path)
      ok(page, `the page ${path} is not among those that the operator sees`)
      for (const panel of page.panels) if (panel.kind !== 'form') await checkPanel(gateway, panel)
    },
  }))
  return plugin.overview.length === 0 ? ofPages : [...ofPages, ofOverview]
}

type Shown = Exclude<PanelView, { kind: 'form' }>

async function checkPanel(gateway: TestGateway, panel: Shown): Promise<void> {
  const filters = Object.fromEntries(
    panel.filters.flatMap(({ argument, initial, required }) =>
      (initial ?? (required || undefined)) === undefined ? [] : [[argument, initial ?? UNKNOWN]],
    ),
  )
  const given = Object.fromEntries(Object.entries(panel.source.arguments).map(([name, argument]) => [name, valueOf(argument)]))
  // Sources that need the admin token are skipped: a gateway of a test has none.
  if (panel.source.credential === 'admin') return
  const answer = await ask(gateway, panel.source, { ...given, ...filters })
  const where = `panel ${panel.id}: ${panel.source.tool}`
  // The data requested by a page with a parameter, or a filter, need not exist.
  const mayMiss =
    Object.keys(filters).length > 0 || Object.values(panel.source.arguments).some(({ from }) => from === 'param' || from === 'query')
  if (answer.status >= 400 && mayMiss && answer.status < 500 && answer.json().code !== 'VALIDATION_ERROR') return
  ok(answer.status < 300, `${where} answered ${answer.status}: ${answer.body}`)
  const rows = rowsOf(panel, answer.json())
  if (!('key' in panel)) return
  const keys = rows.map((row) => valueAt(row, panel.key))
  ok(
    new Set(keys).size === keys.length && !keys.includes(undefined),
    `${where}: ${panel.key} does not tell one row from another: ${keys.join(', ')}`,
  )
}

/** Returns lists unchanged; each value of an object gets its name at `/$key`. */
function rowsOf(panel: Shown, answer: unknown): readonly unknown[] {
  if (!('rows' in panel)) return []
  const found = valueAt(answer, panel.rows) ?? []
  ok(typeof found === 'object', `panel ${panel.id}: at ${panel.rows} is no list`)
  return Array.isArray(found) ? found : Object.entries(found as object).map(([$key, row]) => ({ ...row, $key }))
}

function valueOf(argument: ArgumentView): unknown {
  if (argument.from === 'value') return argument.value
  return argument.from === 'ago'
    ? new Date(Date.now() - argument.seconds * 1_000).toISOString()
    : argument.from === 'query'
      ? undefined
      : UNKNOWN
}

function ask(gateway: TestGateway, { method, url }: SourceView, given: Readonly<Record<string, unknown>>) {
  const inPath = new Set<string>()
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => {
    inPath.add(name)
    return encodeURIComponent(String(given[name]))
  })
  const rest = Object.entries(given).filter(([name, value]) => !inPath.has(name) && value !== undefined)
  if (method !== 'GET') return gateway.inject({ method, url: path, body: Object.fromEntries(rest) })
  return gateway.inject({
    method,
    url: `${path}?${new URLSearchParams(Object.fromEntries(rest.map(([name, value]) => [name, String(value)])))}`,
  })
}
