import { RowActions } from './actions/buttons.tsx'
import type { Scope } from './arguments.ts'
import { Head } from './head.tsx'
import { Icon } from './parts/icon.tsx'
import { Badge, Text, Time } from './parts/value.tsx'
import { href } from './router.ts'
import { attention, dashboard } from './session.ts'
import { plain } from './text.ts'

/** The items that wait for a person, and links to all pages. */
export function Home() {
  const { groups, pages } = dashboard.value as NonNullable<typeof dashboard.value>
  return (
    <Head title="Overview">
      <div class="panels">
        <Needs />
        {groups.map(({ id, title }) => (
          <section key={id} class="panel third tiles" aria-labelledby={`tiles-${id}`}>
            <header>
              <h2 id={`tiles-${id}`}>{title}</h2>
            </header>
            <ul>
              {pages
                .filter(({ group, menu }) => group === id && menu)
                .map((page) => (
                  <li key={page.path}>
                    <a href={href(page.path)}>
                      <Icon name={page.icon} />
                      {page.title}
                    </a>
                    {page.description && <p>{page.description}</p>}
                  </li>
                ))}
            </ul>
          </section>
        ))}
        {pages.length === 0 && <p class="state">No plugin of this gateway has a page.</p>}
      </div>
    </Head>
  )
}

/** Scope of an item's actions; the page itself has no parameters. */
const scopeOf = (row: object): Scope => ({ params: {}, query: new URLSearchParams(), row })

function Needs() {
  const waiting = attention.value
  return (
    <section class="panel full" aria-labelledby="needs">
      <header>
        <h2 id="needs">Waits for you {waiting && waiting.count > 0 && <span class="count">{waiting.count}</span>}</h2>
      </header>
      {waiting === undefined && <p class="state">Loading the attention queue …</p>}
      {waiting?.items.length === 0 && <p class="state">No items need attention. New ones appear here as they happen.</p>}
      {waiting && waiting.items.length > 0 && (
        <ul class="items">
          {waiting.items.map(({ id, kind, title, text, tone, at, link, count }) => (
            <li key={`${kind}:${id}`}>
              <div class="item">
                <div class="title">
                  <Badge tone={tone}>{plain(kind).replaceAll('-', ' ')}</Badge>{' '}
                  {link ? (
                    <a class="opens" href={href(link.path, link.query)}>
                      <Text text={title} />
                    </a>
                  ) : (
                    <Text text={title} />
                  )}
                  {count > 1 && <span class="none"> × {count}</span>}
                </div>
                {text && (
                  <div class="text">
                    <Text text={text} />
                  </div>
                )}
              </div>
              <RowActions actions={waiting.actions[kind]} target={{ name: plain(title), scope: scopeOf({ id, title, text, at }) }} />
              <Time value={at} />
            </li>
          ))}
        </ul>
      )}
      {waiting?.more && <p class="state">The newest items are shown; there are more.</p>}
    </section>
  )
}
