import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { PageView } from './contract.ts'
import { Icon } from './parts/icon.tsx'
import { arrived, href, path } from './router.ts'
import { attention, dashboard } from './session.ts'

/** Groups that the reader has opened or closed; all others follow the current page. */
const chosen = signal<ReadonlyMap<string, boolean>>(new Map())

/** The pages by their groups, of which that of the current page is open. On a narrow screen they are behind a button. */
export function Navigation() {
  const [open, setOpen] = useState(false)
  const { groups, pages, version } = dashboard.value as NonNullable<typeof dashboard.value>
  const count = attention.value?.count ?? 0
  useEffect(() => setOpen(false), [arrived.value])
  useEffect(() => {
    document.querySelector('#pages [aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [path.value])
  const here = currentOf(pages)
  const group = here?.group ?? groups[0]?.id
  return (
    <div class={open ? 'side open' : 'side'}>
      <div class="brand">
        <a href="/">
          <Mark /> Gateway
        </a>
        <small>{version}</small>
        <button type="button" class="quiet square more" aria-expanded={open} aria-controls="pages" onClick={() => setOpen(!open)}>
          <Icon name={open ? 'x' : 'menu'} />
          <span class="unseen">Pages</span>
        </button>
      </div>
      <nav id="pages" aria-label="Pages">
        <ul>
          <li>
            <a href="/" aria-current={path.value === '/' ? 'page' : undefined}>
              <Icon name="house" />
              Overview
              {count > 0 && (
                <span class="count">
                  {count}
                  <span class="unseen"> waiting for you</span>
                </span>
              )}
            </a>
          </li>
        </ul>
        {groups.map(({ id, title }) => (
          <Group key={id} id={id} title={title} pages={pages} here={here} isOpen={chosen.value.get(id) ?? id === group} />
        ))}
      </nav>
    </div>
  )
}

/** The menu's page that the path belongs to: the longest of those that it begins with. */
function currentOf(pages: readonly PageView[]): PageView | undefined {
  const fitting = pages.filter(({ path: to, menu }) => menu && (path.value === to || path.value.startsWith(`${to}/`)))
  return fitting.sort((a, b) => b.path.length - a.path.length)[0]
}

interface GroupProps {
  readonly id: string
  readonly title: string
  readonly pages: readonly PageView[]
  readonly here: PageView | undefined
  readonly isOpen: boolean
}

function Group({ id, title, pages, here, isOpen }: GroupProps) {
  return (
    <section>
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`group-${id}`}
          onClick={() => (chosen.value = new Map([...chosen.value, [id, !isOpen]]))}
        >
          <Icon name="chevron-right" />
          {title}
        </button>
      </h2>
      <ul id={`group-${id}`} hidden={!isOpen}>
        {pages
          .filter(({ group, menu }) => group === id && menu)
          .map((page) => (
            <li key={page.path}>
              <a href={href(page.path)} aria-current={page === here ? 'page' : undefined}>
                <Icon name={page.icon} />
                {page.title}
              </a>
            </li>
          ))}
      </ul>
    </section>
  )
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M4 20V9a8 8 0 0 1 16 0v11M9 20v-8a3 3 0 0 1 6 0v8" />
    </svg>
  )
}
