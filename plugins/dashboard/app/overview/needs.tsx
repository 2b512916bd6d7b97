import { useState } from 'preact/hooks'
import { begin } from '../actions/begin.ts'
import { Bulk } from '../actions/bulk.tsx'
import { RowActions } from '../actions/buttons.tsx'
import { hasActions } from '../actions/record.ts'
import { RecordMenu } from '../actions/record-menu.tsx'
import type { Target } from '../actions/target.ts'
import type { AttentionView } from '../contract.ts'
import { Badge, Text, Time } from '../parts/value.tsx'
import { href } from '../router.ts'
import { attention } from '../session.ts'
import { plain } from '../text.ts'

/** The item as the target of its actions; the page itself has no parameters. */
const targetOf = ({ id, title, text, at }: AttentionView['items'][number]): Target => ({
  name: plain(title),
  scope: { params: {}, query: new URLSearchParams(), row: { id, title, text, at } },
})

/** Number of items that are shown at first, so that the figures below stay in sight. */
const FIRST = 6
const WEIGHT = { bad: 0, warn: 1, info: 2 } as const

/** The items that wait for a person. `quiet`: nothing is shown while nothing waits. */
export function Needs({ quiet }: { quiet: boolean }) {
  const waiting = attention.value
  const [all, setAll] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  if (quiet && (waiting?.items.length ?? 0) === 0) return null
  // The order within a tone stays: newest first.
  const items = [...(waiting?.items ?? [])].sort((a, b) => WEIGHT[a.tone] - WEIGHT[b.tone])
  const rows = items.map((item) => ({
    key: `${item.kind}:${item.id}`,
    item,
    target: targetOf(item),
    actions: waiting?.actions[item.kind] ?? [],
  }))
  const selected = rows.filter(({ key }) => chosen.has(key))
  const offered = Object.entries(waiting?.actions ?? {}).flatMap(([kind, actions]) =>
    actions.map((action) => ({ action, kind, targets: rows.filter(({ item }) => item.kind === kind).map(({ target }) => target) })),
  )
  const ofSelected = offered.map(({ action, kind }) => ({
    action,
    targets: selected.filter(({ item }) => item.kind === kind).map(({ target }) => target),
  }))
  const choose = (key: string, on: boolean): void => setChosen(new Set(on ? [...chosen, key] : [...chosen].filter((one) => one !== key)))
  return (
    <section class="panel full" aria-labelledby="needs">
      <header>
        <h2 id="needs">Waits for you {waiting && waiting.count > 0 && <span class="count">{waiting.count}</span>}</h2>
        <div class="head-actions">
          {offered.map(({ action, kind, targets }) =>
            action.all === undefined || targets.length < 2 ? null : (
              <button type="button" key={`${kind} ${action.id}`} class="quiet small" onClick={() => begin(action, targets)}>
                {action.all} ({targets.length})
              </button>
            ),
          )}
        </div>
      </header>
      {waiting === undefined && <p class="state">Loading the attention queue …</p>}
      {waiting?.items.length === 0 && <p class="state calm">No items need attention.</p>}
      {waiting && waiting.items.length > 0 && (
        <ul class="items needs">
          {rows.slice(0, all ? rows.length : FIRST).map(({ key, item: { kind, title, text, tone, at, link, count }, target, actions }) => (
            <li key={key} class={tone}>
              {actions.length > 0 && (
                <input
                  type="checkbox"
                  aria-label={`Select ${target.name}`}
                  checked={chosen.has(key)}
                  onChange={(event) => choose(key, event.currentTarget.checked)}
                />
              )}
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
              <RowActions actions={actions} target={target} />
              {link && hasActions(link.path) && <RecordMenu path={link.path} name={target.name} />}
              <Time value={at} />
            </li>
          ))}
        </ul>
      )}
      {selected.length > 0 && <Bulk all={ofSelected} count={selected.length} clear={() => setChosen(new Set())} />}
      {items.length > FIRST && !all && (
        <button type="button" class="quiet all" onClick={() => setAll(true)}>
          Show all {items.length}
        </button>
      )}
      {all && waiting?.more && <p class="state">There is more; the newest items are listed.</p>}
    </section>
  )
}
