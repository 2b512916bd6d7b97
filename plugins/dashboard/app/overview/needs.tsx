import { useState } from 'preact/hooks'
import { RowActions } from '../actions/buttons.tsx'
import type { Scope } from '../arguments.ts'
import { Badge, Text, Time } from '../parts/value.tsx'
import { href } from '../router.ts'
import { attention } from '../session.ts'
import { plain } from '../text.ts'

/** Scope of an item's actions; the page itself has no parameters. */
const scopeOf = (row: object): Scope => ({ params: {}, query: new URLSearchParams(), row })

/** Number of items that are shown at first, so that the figures below stay in sight. */
const FIRST = 6
const WEIGHT = { bad: 0, warn: 1, info: 2 } as const

/** The items that wait for a person. `quiet`: nothing is shown while nothing waits. */
export function Needs({ quiet }: { quiet: boolean }) {
  const waiting = attention.value
  const [all, setAll] = useState(false)
  if (quiet && (waiting?.items.length ?? 0) === 0) return null
  // The order within a tone stays: newest first.
  const items = [...(waiting?.items ?? [])].sort((a, b) => WEIGHT[a.tone] - WEIGHT[b.tone])
  return (
    <section class="panel full" aria-labelledby="needs">
      <header>
        <h2 id="needs">Waits for you {waiting && waiting.count > 0 && <span class="count">{waiting.count}</span>}</h2>
      </header>
      {waiting === undefined && <p class="state">Loading the attention queue …</p>}
      {waiting?.items.length === 0 && <p class="state calm">No items need attention.</p>}
      {waiting && waiting.items.length > 0 && (
        <ul class="items needs">
          {items.slice(0, all ? items.length : FIRST).map(({ id, kind, title, text, tone, at, link, count }) => (
            <li key={`${kind}:${id}`} class={tone}>
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
      {items.length > FIRST && !all && (
        <button type="button" class="quiet all" onClick={() => setAll(true)}>
          Show all {items.length}
        </button>
      )}
      {all && waiting?.more && <p class="state">There is more; the newest items are listed.</p>}
    </section>
  )
}
