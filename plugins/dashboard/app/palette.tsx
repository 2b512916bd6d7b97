import { computed, signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { begin } from './actions/begin.ts'
import { Dialog } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { go, href, match, path, place } from './router.ts'
import { dashboard, pages } from './session.ts'

const open = signal(false)
export const openPalette = (): void => void (open.value = true)

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  if (dashboard.peek() === undefined || document.querySelector('dialog[open]')) return
  event.preventDefault()
  open.value = true
})

interface Entry {
  readonly id: string
  readonly icon: string
  readonly label: string
  readonly hint: string
  readonly run: () => void
}

const MOST = 12

/** Every page and its actions; those of the current page come first. */
const entries = computed((): readonly Entry[] => {
  const here = match(pages.value, path.value)
  const groups = new Map(dashboard.value?.groups.map(({ id, title }) => [id, title]))
  const to = pages.value
    .filter(({ menu }) => menu)
    .map((page) => ({
      id: page.path,
      icon: page.icon,
      label: page.title,
      hint: groups.get(page.group) ?? '',
      run: () => go(href(page.path)),
    }))
  const overview = { id: '/', icon: 'house', label: 'Overview', hint: '', run: () => go('/') }
  const actions = pages.value
    .filter((page) => page.menu || page === here?.page)
    .flatMap((page) =>
      page.actions.map((action) => ({
        id: `${page.path} ${action.id}`,
        icon: action.icon ?? 'zap',
        label: action.label,
        hint: page === here?.page ? 'on this page' : page.title,
        run: () => {
          const params = page === here?.page ? here.params : {}
          begin(action, [{ name: action.label, scope: { params, query: place.value.query } }])
        },
      })),
    )
    .sort((a, b) => Number(b.hint === 'on this page') - Number(a.hint === 'on this page'))
  return [
    ...actions.filter(({ hint }) => hint === 'on this page'),
    overview,
    ...to,
    ...actions.filter(({ hint }) => hint !== 'on this page'),
  ]
})

/** All words must match; entries that begin with the first word come before entries that only contain it. */
function found(text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = entries.value.filter(({ label, hint }) => words.every((word) => `${label} ${hint}`.toLowerCase().includes(word)))
  const rank = ({ label }: Entry): number => Number(!label.toLowerCase().startsWith(words[0] ?? ''))
  return fitting.sort((a, b) => rank(a) - rank(b)).slice(0, MOST)
}

/** Ctrl or Cmd K: type, choose with the arrows, Enter. */
export function Palette() {
  if (!open.value) return null
  return <Open close={() => (open.value = false)} />
}

function Open({ close }: { close: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = found(text)
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
    <Dialog title="Search pages and actions" close={close}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen ? 'palette-chosen' : undefined}
          aria-label="Page or action"
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
          {list.length === 0 ? 'No matches.' : <span class="unseen">{list.length} found</span>}
        </p>
      </div>
    </Dialog>
  )
}
