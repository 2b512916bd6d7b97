import { computed, signal } from '@preact/signals'
import type { PageView } from './contract.ts'

const BASE = '/dashboard'

/** The current location: the path below the dashboard, and the query, which holds the filters. */
export const place = signal(read())

function read(): { readonly path: string; readonly query: URLSearchParams } {
  const { pathname, search } = window.location
  const path = pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : '/'
  return { path: path.replace(/(.)\/+$/, '$1'), query: new URLSearchParams(search) }
}

export const path = computed(() => place.value.path)

window.addEventListener('popstate', () => {
  place.value = read()
})

export function href(to: string, query: URLSearchParams | Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString()
  return `${to === '/' ? '/' : BASE + to}${text === '' ? '' : `?${text}`}`
}

/** The path below the dashboard, with its query, of an address that `href` made. */
export const pathOf = (address: string): string => (address.startsWith(`${BASE}/`) ? address.slice(BASE.length) : address)

/** Navigates to an address of the dashboard. A new page starts at its top, with its heading in focus. */
export function go(address: string): void {
  history.pushState(null, '', address)
  place.value = read()
  window.scrollTo(0, 0)
  arrived.value += 1
}
/** Name of the record that the page shows, and the path that it belongs to. */
export const recordName = signal<{ readonly of: string; readonly name: string } | undefined>(undefined)

/** Counts navigations, so that the focus follows. */
export const arrived = signal(0)

/** Sets a filter in the URL without a history entry, so that "back" leaves the page. */
export function setQuery(name: string, value: string | undefined): void {
  const query = new URLSearchParams(window.location.search)
  if (value === undefined) query.delete(name)
  else query.set(name, value)
  const text = query.toString()
  history.replaceState(null, '', `${window.location.pathname}${text === '' ? '' : `?${text}`}`)
  place.value = read()
}

/** Handles clicks on links of the page; a link opened elsewhere (with a key held, in a tab) is left to the browser. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element).closest?.('a[href]')
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.origin !== window.location.origin) return
  if (link.pathname !== '/' && link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return
  if (link.hash !== '' && link.pathname === window.location.pathname) return
  event.preventDefault()
  go(link.href)
})

export interface Match {
  readonly page: PageView
  readonly params: Readonly<Record<string, string>>
}

/** Returns the page of a path: one without parameters is preferred to one with. */
export function match(pages: readonly PageView[], wanted: string): Match | undefined {
  const steps = wanted.split('/')
  const found = pages.flatMap((page) => {
    const pattern = page.path.split('/')
    if (pattern.length !== steps.length) return []
    const params: Record<string, string> = {}
    for (const [index, part] of pattern.entries()) {
      const step = steps[index] ?? ''
      if (part.startsWith(':')) params[part.slice(1)] = decode(step)
      else if (part !== step) return []
    }
    return [{ page, params }]
  })
  return found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
