import type { FilterView, PanelView } from './contract.ts'

const filtersOf = (panel: PanelView): readonly FilterView[] => ('filters' in panel && panel.filters) || []
const sameAs =
  (one: FilterView) =>
  (other: FilterView): boolean =>
    JSON.stringify(one) === JSON.stringify(other)

/** Filters that several panels of a page have alike. They act on all of these, because their values are in the address. */
export function sharedFilters(panels: readonly PanelView[]): readonly FilterView[] {
  const all = panels.flatMap(filtersOf)
  return all.filter((filter, index) => all.findIndex(sameAs(filter)) === index && all.findLastIndex(sameAs(filter)) > index)
}

export const isAmong = (shared: readonly FilterView[], panel: PanelView): boolean =>
  ownFilters(shared, panel).length < filtersOf(panel).length

/** The filters that only this panel of the page has. */
export const ownFilters = (shared: readonly FilterView[], panel: PanelView): readonly FilterView[] =>
  filtersOf(panel).filter((filter) => !shared.some(sameAs(filter)))
