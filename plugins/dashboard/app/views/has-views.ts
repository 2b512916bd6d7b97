import type { PageView } from '../contract.ts'

/** True if a page has lists that are filtered or ordered. */
export const hasViews = ({ menu, panels }: PageView): boolean =>
  menu && panels.some((panel) => panel.kind === 'table' || (panel.kind !== 'form' && panel.filters.length > 0))
