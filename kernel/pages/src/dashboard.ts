import { createHash } from 'node:crypto'
import { decide, type Gateway, maySee, type Standing, standingKey } from '@gateway/kernel'
import {
  type Action,
  type ActionView,
  attentionSource,
  type DashboardPage,
  type DashboardView,
  defined,
  type Operation,
  PAGE_GROUPS,
  type PageGroup,
  type PageView,
  type PanelView,
  type Principal,
} from '@gateway/sdk'
import { actionsOf, nameOf, type Operations, operationsIn, parametersOf, takesAdminToken } from './bindings.ts'
import { liveCollections } from './live.ts'
import { overviewOf } from './overview.ts'
import { panelView } from './panel-view.ts'
import { actionViews, type Sight } from './view-parts.ts'

export const EVENTS_URL = '/api/dashboard/events'
export const ATTENTION_URL = '/api/attention'

const TITLES: Readonly<Record<PageGroup, string>> = {
  work: 'Work',
  fleet: 'Fleet',
  activity: 'Activity',
  knowledge: 'Knowledge',
  library: 'Library',
  money: 'Money',
  access: 'Access',
  admin: 'System',
}

export interface Dashboard {
  /** Returns the JSON of `DashboardView`. */
  json(caller: Principal): string
  /** True if a change in this collection makes anything stale that the caller sees. */
  isLive(caller: Standing, collection: string): boolean
  /** Actions outside of a page, as far as the caller may call them. */
  actionsFor(caller: Standing, actions: readonly Action<unknown>[]): readonly ActionView[]
  /** The page's path with its parameters filled in and the rest as its query; undefined if the caller does not see it. */
  linkTo(
    caller: Standing,
    to: string,
    given: Readonly<Record<string, string>>,
  ): { path: string; query: Readonly<Record<string, string>> } | undefined
}

interface Seen {
  readonly view: Omit<DashboardView, 'caller'>
  readonly live: ReadonlySet<string>
  readonly sight: Sight
}

/** Built once per standing, on demand. */
export function dashboard(gateway: Pick<Gateway, 'inventory' | 'settings' | 'version'>): Dashboard {
  const views = new Map<string, Seen>()
  const seenBy = (caller: Standing): Seen => {
    const key = standingKey(caller)
    let seen = views.get(key)
    if (!seen) views.set(key, (seen = look(gateway, caller)))
    return seen
  }
  return {
    json(caller) {
      const { id, role, tenantId } = caller
      const { version, revision, ...rest } = seenBy(caller).view
      return JSON.stringify({ version, revision, caller: { id, role, tenantId }, ...rest })
    },
    isLive: (caller, collection) => seenBy(caller).live.has(collection),
    actionsFor: (caller, actions) => actionViews(actions, seenBy(caller).sight),
    linkTo(caller, to, given) {
      if (!seenBy(caller).sight.paths.has(to)) return undefined
      const named = parametersOf(to)
      const path = named.reduce((text, name) => text.replace(`:${name}`, encodeURIComponent(given[name] ?? '')), to)
      return { path, query: Object.fromEntries(Object.entries(given).filter(([name]) => !named.includes(name))) }
    },
  }
}

function look({ inventory, settings, version }: Pick<Gateway, 'inventory' | 'settings' | 'version'>, caller: Standing): Seen {
  const live = liveCollections(inventory.plugins)
  const operations: Operations = new Map(
    [...operationsIn(inventory)].filter(([, operation]) => mayUse(caller, operation, settings.rbacEnforce)),
  )
  const declared = inventory.plugins.flatMap(({ id, pages }) => pages.map((page) => ({ plugin: id, page })))
  const shown = declared.filter(({ page }) => showsAnything(page, operations)).sort(inOrder)
  const sight: Sight = { operations, paths: new Set(shown.map(({ page }) => page.path)) }
  const pages = shown.map(({ plugin, page }): PageView => {
    const actions = actionViews(page.actions, sight)
    const ids = new Set([
      ...actions.map(({ id }) => id),
      ...page.panels.flatMap(actionsOf).flatMap(({ id, tool }) => (operations.has(nameOf(tool)) ? [id] : [])),
    ])
    const panels = viewsOf(page, (id) => ids.has(id))
    const { path, title, description, heading, icon, group } = page
    const menu = parametersOf(path).length === 0
    return { path, title, ...defined({ description, heading }), icon, group, menu, plugin, panels, actions }
  })
  const overview = viewsOf(overviewOf(inventory.plugins), () => false)
  const attention = { url: ATTENTION_URL, live: live({ attentionSource }) }
  const groups = PAGE_GROUPS.filter((group) => pages.some((page) => page.menu && page.group === group)).map((id) => ({
    id,
    title: TITLES[id],
  }))
  const revision = createHash('sha256')
    .update(JSON.stringify([version, pages, overview, attention]))
    .digest('hex')
    .slice(0, 16)
  const collections = new Set([
    ...attention.live,
    ...[...overview, ...pages.flatMap(({ panels }) => panels)].flatMap((panel) => (panel.kind === 'form' ? [] : panel.source.live)),
  ])
  return { view: { version, revision, events: EVENTS_URL, attention, groups, pages, overview }, live: collections, sight }

  function viewsOf({ panels }: DashboardPage, hasAction: (id: string) => boolean): readonly PanelView[] {
    return panels.flatMap((panel) => panelView(panel, { ...sight, live, hasAction }) ?? [])
  }
}

/** Operations with the admin token act as the operator for any sender, so only the operator sees them. */
const mayUse = (caller: Standing, operation: Operation, enforced: boolean): boolean =>
  maySee(caller, operation, enforced) && (!takesAdminToken(operation) || decide(caller.role, 'operator', true) === 'allowed')

/** A form offers an action, and every other panel shows data. */
function showsAnything({ panels }: DashboardPage, operations: Operations): boolean {
  return panels.some(({ kind, from, action }) => operations.has(nameOf((kind === 'form' ? action?.tool : from) ?? '')))
}

type Declared = { readonly page: DashboardPage }
const inOrder = ({ page: a }: Declared, { page: b }: Declared): number =>
  PAGE_GROUPS.indexOf(a.group) - PAGE_GROUPS.indexOf(b.group) || a.order - b.order || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0)
