import { type MembersOf, refuseUnknown } from '../members.ts'
import type { Action } from './action.ts'
import type { Panel } from './panel.ts'

/** The groups of pages, in the order of the menu. */
export const PAGE_GROUPS = ['work', 'fleet', 'knowledge', 'money', 'admin'] as const
/** One of the groups. */
export type PageGroup = (typeof PAGE_GROUPS)[number]

/** A page of the dashboard: data, which whatever shows dashboards reads. */
export interface DashboardPage {
  readonly kind: 'page'
  /** Where it is; unique in one gateway. With parameters (`/tasks/:taskId`) it is reached by links alone. */
  readonly path: string
  readonly title: string
  /** One sentence, shown below the title. */
  readonly description: string | undefined
  /** A name of Lucide’s icons. */
  readonly icon: string
  readonly group: PageGroup
  /** Lower comes first in its group. */
  readonly order: number
  readonly panels: readonly Panel[]
  readonly actions: readonly Action[]
}

const PAGE: MembersOf<typeof definePage> = {
  path: true,
  title: true,
  description: true,
  icon: true,
  group: true,
  order: true,
  panels: true,
  actions: true,
}

/**
 * Declare a page. Nothing of it is code: its panels name tools, and places in what those answer. Who sees a panel or an action follows from
 * the capability of its tool, and what makes a panel stale from the collections that its tool uses. The start checks that each pointer
 * leads somewhere, each argument is one, and what is destructive asks first.
 */
export function definePage(page: {
  path: string
  title: string
  description?: string
  icon: string
  group: PageGroup
  /** Default 100. */
  order?: number
  panels: readonly Panel[]
  /** Beside the title: what makes something new. */
  actions?: readonly Action[]
}): DashboardPage {
  refuseUnknown(`page ${page?.path}`, page, PAGE)
  return { description: undefined, order: 100, actions: [], ...page, kind: 'page' }
}
