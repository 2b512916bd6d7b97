import { useEffect, useState } from 'preact/hooks'
import { Icon } from './parts/icon.tsx'
import { arrived, href, path } from './router.ts'
import { attention, dashboard } from './session.ts'

/** The pages by their groups. On a narrow screen they are behind a button. */
export function Navigation() {
  const [open, setOpen] = useState(false)
  const { groups, pages, version } = dashboard.value as NonNullable<typeof dashboard.value>
  const count = attention.value?.count ?? 0
  useEffect(() => setOpen(false), [arrived.value])
  const isHere = (to: string): 'page' | undefined =>
    path.value === to || (to !== '/' && path.value.startsWith(`${to}/`)) ? 'page' : undefined
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
            <a href="/" aria-current={isHere('/')}>
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
          <section key={id} aria-labelledby={`group-${id}`}>
            <h2 id={`group-${id}`}>{title}</h2>
            <ul>
              {pages
                .filter(({ group, menu, path: to }) => group === id && menu && to !== '/')
                .map((page) => (
                  <li key={page.path}>
                    <a href={href(page.path)} aria-current={isHere(page.path)}>
                      <Icon name={page.icon} />
                      {page.title}
                    </a>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  )
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M4 20V9a8 8 0 0 1 16 0v11M9 20v-8a3 3 0 0 1 6 0v8" />
    </svg>
  )
}
