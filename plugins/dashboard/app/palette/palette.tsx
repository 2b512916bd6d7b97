import { useEffect, useState } from 'preact/hooks'
import { begin } from '../actions/begin.ts'
import { actionsAt } from '../actions/record.ts'
import type { Refusal } from '../api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { NotRead } from '../parts/not-read.tsx'
import { askViews } from '../views/kept.ts'
import { type Entry, entriesFor } from './entries.ts'
import { useFound } from './found.ts'

/** Ctrl or Cmd K: type, choose with the arrows, Enter. The arrow to the right leads to the actions of a record. */
export function Palette({ close }: { close: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [record, setRecord] = useState<OfRecord>()
  const { hits, busy, refusal, again } = useFound(record ? '' : text)
  const list = record ? (record.actions ?? []) : [...entriesFor(text), ...hits]
  const chosen = list[Math.min(at, list.length - 1)]
  useEffect(() => {
    document.getElementById('palette-chosen')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const run = (entry: Entry | undefined): void => {
    if (!entry) return
    close()
    // Runs after the dialog has returned the focus.
    setTimeout(entry.run)
  }
  useEffect(askViews, [])
  const enter = (entry: Entry): void => {
    setRecord({ entry })
    setAt(0)
    void actionsAt(entry.record as string).then(({ actions: found, refusal }) => {
      const actions = found.map(({ action, target }) => ({
        id: action.id,
        icon: action.icon ?? 'zap',
        label: action.label,
        hint: entry.label,
        also: '',
        run: () => begin(action, [target]),
      }))
      setRecord((now) => (now?.entry === entry ? { entry, actions, refusal } : now))
    })
  }
  const leave = (): void => {
    setRecord(undefined)
    setAt(0)
  }
  const pressed = (event: KeyboardEvent): void => {
    const { value, selectionStart } = event.currentTarget as HTMLInputElement
    if (event.key === 'ArrowRight' && selectionStart === value.length && chosen?.record !== undefined) enter(chosen)
    else if (record && (event.key === 'ArrowLeft' || event.key === 'Backspace')) leave()
    else if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, list.length))
    else if (event.key === 'ArrowUp') setAt((at - 1 + list.length) % Math.max(1, list.length))
    else if (event.key === 'Enter') run(chosen)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search pages, actions and data" close={close}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen ? 'palette-chosen' : undefined}
          aria-label="Page or action"
          aria-description="The arrow to the right shows the actions of a record."
          placeholder="A task, agent, repo, message, page or action"
          autocomplete="off"
          spellcheck={false}
          value={record ? record.entry.label : text}
          readOnly={record !== undefined}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={pressed}
        />
        <ul role="listbox" id="palette-list" aria-label="Search results">
          {list.map((entry) => (
            <li
              key={entry.id}
              role="option"
              id={entry === chosen ? 'palette-chosen' : undefined}
              aria-selected={entry === chosen}
              class={entry === hits[0] ? 'first' : undefined}
              onClick={() => run(entry)}
              onPointerMove={() => setAt(list.indexOf(entry))}
            >
              <Icon name={entry.icon} />
              <span>{entry.label}</span>
              <small>{entry.hint}</small>
              {entry.record !== undefined && (
                // An option holds nothing that takes the focus: the keyboard has the arrow.
                <span class="within" title="Actions (→)" aria-hidden="true" onClick={(event) => [event.stopPropagation(), enter(entry)]}>
                  <Icon name="chevron-right" />
                </span>
              )}
            </li>
          ))}
        </ul>
        <p class="state" role="status">
          {record?.refusal ? (
            <NotRead refusal={record.refusal} again={() => enter(record.entry)} />
          ) : refusal && !record && !busy ? (
            <NotRead refusal={refusal} again={again} />
          ) : (
            stateOf(record, list.length, busy)
          )}
        </p>
      </div>
    </Dialog>
  )
}

/** A hit whose actions are shown; `actions` are absent until they are read, or refused. */
interface OfRecord {
  readonly entry: Entry
  readonly actions?: readonly Entry[]
  readonly refusal?: Refusal | undefined
}

function stateOf(record: OfRecord | undefined, found: number, busy: boolean) {
  if (record) return found > 0 ? 'Backspace goes back to the search.' : record.actions ? 'No actions at the moment.' : 'Loading …'
  if (found === 0) return busy ? 'Searching …' : 'No matches.'
  return <span class="unseen">{found} found</span>
}
