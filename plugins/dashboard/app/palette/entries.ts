import { nearness } from '@gateway/sdk/near'
import { computed } from '@preact/signals'
import { begin } from '../actions/begin.ts'
import type { ActionView, PageView } from '../contract.ts'
import { go, href, match, path, place } from '../router.ts'
import { dashboard, pages } from '../session.ts'
import { views } from '../views/kept.ts'

export interface Entry {
  readonly id: string
  readonly icon: string
  readonly label: string
  readonly hint: string
  /** Further names that it is found under. */
  readonly also: string
  /** Path of a record whose actions are offered. */
  readonly record?: string | undefined
  readonly run: () => void
}

const MAX_ENTRIES = 12
const HERE = 'on this page'

/** Every page and every action: those of the current page first. An action on a row leads to the list of its rows. */
const entries = computed((): readonly Entry[] => {
  const here = match(pages.value, path.value)
  const groups = new Map(dashboard.value?.groups.map(({ id, title }) => [id, title]))
  const toPages = pages.value
    .filter(({ menu }) => menu)
    .map((page) => ({
      id: page.path,
      icon: page.icon,
      label: page.title,
      hint: groups.get(page.group) ?? '',
      also: `${page.path} ${page.description ?? ''}`,
      run: () => go(href(page.path)),
    }))
  const ofViews = (views.value ?? []).flatMap(({ viewId, name, page: to, query }) => {
    const page = match(pages.value, to)?.page
    const run = () => go(href(to, new URLSearchParams(query)))
    return page ? [{ id: viewId, icon: 'bookmark', label: name, hint: `view of ${page.title}`, also: 'saved filter', run }] : []
  })
  const overview = { id: '/', icon: 'house', label: 'Overview', hint: '', also: 'home start', run: () => go('/') }
  const listed = pages.value.filter((page) => page.menu || page === here?.page)
  const ofPages = listed.flatMap((page) => page.actions.map((action) => direct(page, action)))
  const ofRows = listed.filter(({ menu }) => menu).flatMap((page) => rowActions(page))
  const isHere = ({ hint }: Entry): boolean => hint === HERE
  return [...ofPages.filter(isHere), overview, ...ofViews, ...toPages, ...ofPages.filter((entry) => !isHere(entry)), ...ofRows]

  function direct(page: PageView, action: ActionView): Entry {
    const params = page === here?.page ? here.params : {}
    const run = () => begin(action, [{ name: action.label, scope: { params, query: place.value.query } }])
    return { ...nameOf(page, action), hint: page === here?.page ? HERE : page.title, run }
  }
})

function nameOf(page: PageView, { id, icon = 'zap', label, tool }: ActionView): Omit<Entry, 'hint' | 'run'> {
  return { id: `${page.path} ${id}`, icon, label, also: `${id} ${tool} ${page.title}` }
}

function rowActions(page: PageView): readonly Entry[] {
  const all = page.panels.flatMap((panel) => ('actions' in panel ? panel.actions : []))
  const distinct = new Map(all.map((action) => [action.id, action]))
  return [...distinct.values()].map((action) => ({
    ...nameOf(page, action),
    hint: `choose in ${page.title}`,
    run: () => go(href(page.path)),
  }))
}

/** Entries near the text, the nearest first; a name counts more than the further names. */
export function entriesFor(text: string): readonly Entry[] {
  if (text.trim() === '') return entries.value.slice(0, MAX_ENTRIES)
  const ranked = entries.value.map((entry) => {
    const { label, hint, also } = entry
    const near = Math.max(nearness(text, label), 0.8 * nearness(text, `${label} ${hint}`), 0.5 * nearness(text, `${label} ${hint} ${also}`))
    return { entry, near }
  })
  return ranked
    .filter(({ near }) => near > 0)
    .sort((a, b) => b.near - a.near)
    .slice(0, MAX_ENTRIES)
    .map(({ entry }) => entry)
}
