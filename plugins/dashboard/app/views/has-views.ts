import type { PageView } from '../contract.ts'

export const hasViews = ({ menu, panels }: PageView): boolean =>
  menu && panels.some((panel) => panel.kind === 'table' || (panel.kind !== 'form' && panel.filters.length > 0))
