import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { dashboard } from '../session.ts'
import { type Entry, entriesFor } from './entries.ts'
import { useFound } from './found.ts'

const open = signal(false)
export const openPalette = (): void => void (open.value = true)

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  if (dashboard.peek() === undefined || document.querySelector('dialog[open]')) return
  event.preventDefault()
  open.value = true
})

/** Ctrl or Cmd K: type, choose with the arrows, Enter. */
export function Palette() {
  if (!open.value) return null
  return <Open close={() => (open.value = false)} />
}

function Open({ close }: { close: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, busy } = useFound(text)
  const list = [...entriesFor(text), ...hits]
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
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, list.length))
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
          placeholder="A task, agent, repo, message, page or action"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={pressed}
        />
        <ul role="listbox" id="palette-list" aria-label="Found">
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
            </li>
          ))}
        </ul>
        <p class="state" role="status">
          {list.length === 0 ? busy ? 'Searching …' : 'No matches.' : <span class="unseen">{list.length} found</span>}
        </p>
      </div>
    </Dialog>
  )
}
