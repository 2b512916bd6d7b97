import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { filterValue } from './answer.ts'
import type { FilterView } from './contract.ts'
import { Names } from './names.tsx'
import { place, setQuery } from './router.ts'

/** The filters of a panel. They are kept in the URL, so a filtered list can be shared. */
export function Filters({ filters, panel }: { filters: readonly FilterView[]; panel: string }) {
  return (
    <div class="filters" role="search" aria-label={`Filters of ${panel}`}>
      {filters.map((filter) => (
        <Filter key={filter.argument} filter={filter} />
      ))}
    </div>
  )
}

const TYPING_MS = 300

function Filter({ filter }: { filter: FilterView }) {
  const id = useId()
  const { argument, kind, label, options = [], initial, placeholder } = filter
  const value = filterValue(filter, place.value.query)
  const given = kind === 'number' ? place.value.query.get(argument) : null
  const text = given ?? (value === undefined ? '' : String(value))
  // A cleared filter must not return to its initial value.
  const set = (chosen: string): void => setQuery(argument, chosen === '' && initial === undefined ? undefined : chosen)
  if (kind === 'toggle')
    return (
      <label class="toggle">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) =>
            setQuery(argument, event.currentTarget.checked === (initial === true) ? undefined : String(event.currentTarget.checked))
          }
        />
        {label}
      </label>
    )
  if (kind === 'select')
    return (
      <label for={id}>
        <span>{label}</span>
        <select id={id} value={text} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">any</option>
          {options.map((option) => (
            <option key={option.value} value={String(option.value)}>
              {option.label}
            </option>
          ))}
        </select>
      </label>
    )
  if (kind === 'time')
    return (
      <label for={id}>
        <span>{label}</span>
        <input
          id={id}
          type="datetime-local"
          value={local(text)}
          onChange={({ currentTarget: { value: chosen } }) => set(chosen === '' ? '' : new Date(chosen).toISOString())}
        />
      </label>
    )
  return <Typed id={id} label={label} kind={kind} text={text} placeholder={placeholder} argument={argument} set={set} />
}

/** An ISO time as `datetime-local` inputs take it; empty if the text is not a time. */
export function local(text: string): string {
  const time = new Date(text)
  if (text === '' || Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

interface TypedProps {
  readonly id: string
  readonly label: string
  readonly kind: 'text' | 'number'
  readonly text: string
  readonly placeholder: string | undefined
  readonly argument: string
  readonly set: (text: string) => void
}

/** A debounced input: it requests when the typing pauses. */
function Typed({ id, label, kind, text, placeholder, argument, set }: TypedProps) {
  const [typed, setTyped] = useState(text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The value that this field has set comes back late, and must not replace what was typed since.
  const sent = useRef(text)
  useEffect(() => {
    if (text !== sent.current) setTyped(text)
    sent.current = text
  }, [text])
  useEffect(() => () => clearTimeout(timer.current), [])
  const wrong = kind === 'number' && !Number.isFinite(Number(typed))
  const now = (value: string): void => {
    clearTimeout(timer.current)
    sent.current = value
    set(value)
  }
  return (
    <label for={id}>
      <span>{label}</span>
      <input
        id={id}
        type="text"
        inputMode={kind === 'number' ? 'decimal' : 'search'}
        value={typed}
        aria-invalid={wrong || undefined}
        placeholder={placeholder}
        list={`${id}-names`}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => now(value), TYPING_MS)
        }}
        onKeyDown={(event) => event.key === 'Enter' && now(event.currentTarget.value)}
      />
      <Names id={`${id}-names`} field={argument} />
      {wrong && <small role="status">Not a number</small>}
    </label>
  )
}
