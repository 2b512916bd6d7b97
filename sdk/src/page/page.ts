import { type MembersOf, refuseUnknown } from '../members.ts'
import type { Action } from './action.ts'
import type { Panel } from './panel.ts'

/** Groups of pages, in the order of the menu. */
export const PAGE_GROUPS = ['work', 'fleet', 'activity', 'knowledge', 'library', 'money', 'access', 'admin'] as const
/** A group of the menu. */
export type PageGroup = (typeof PAGE_GROUPS)[number]

/** A page of the dashboard, as data that any dashboard client can read. */
export interface DashboardPage {
  readonly kind: 'page'
  /** Its path; unique in one gateway. A page with parameters (`/tasks/:taskId`) is reached only by links. */
  readonly path: string
  readonly title: string
  /** A sentence, shown below the title. */
  readonly description: string | undefined
  /** Name of a Lucide icon. */
  readonly icon: string
  readonly group: PageGroup
  /** Lower comes first in its group. */
  readonly order: number
  readonly heading: PageHeading | undefined
  readonly panels: readonly Panel[]
  readonly actions: readonly Action[]
}

/**
 * Heading of a page of one record, before its title: `parameter`, if the parameter of the path is a name that people use, or the
 * title of the record that the parameter names, of this kind of the search. A detail panel with `names` needs none.
 */
export type PageHeading = 'parameter' | { readonly titleOf: string }

const PAGE: MembersOf<typeof definePage> = {
  path: true,
  title: true,
  description: true,
  icon: true,
  group: true,
  order: true,
  heading: true,
  panels: true,
  actions: true,
}

/** A panel on the first page of the dashboard, between those of other plugins. Its actions and arguments know no page parameters. */
export interface OverviewPanel {
  /** Lower comes first. */
  readonly order: number
  readonly panel: Panel
}

/**
 * Declares a page. Nothing in it is code: its panels name tools and places in their answers. The capability of a tool decides
 * who sees a panel or an action, and the collections that the tool uses decide what makes a panel stale. The start checks that
 * each pointer resolves, each argument exists, and destructive actions ask first.
 */
export function definePage(page: {
  path: string
  title: string
  description?: string
  icon: string
  group: PageGroup
  /** Default 100. */
  order?: number
  /** Heading of a page whose path has one parameter. Default: the title. */
  heading?: PageHeading
  panels: readonly Panel[]
  /** Shown next to the title: actions that create something. */
  actions?: readonly Action[]
}): DashboardPage {
  refuseUnknown(`page ${page?.path}`, page, PAGE)
  return { description: undefined, heading: undefined, order: 100, actions: [], ...page, kind: 'page' }
}
