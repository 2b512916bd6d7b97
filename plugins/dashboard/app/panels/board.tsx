import { useState } from 'preact/hooks'
import { begin } from '../actions/begin.ts'
import { RowActions } from '../actions/buttons.tsx'
import type { Target } from '../actions/target.ts'
import type { PanelOf } from '../contract.ts'
import type { HeldRow } from '../held-rows.ts'
import { at } from '../pointer.ts'
import { plain } from '../text.ts'
import type { Drawn } from './drawn.ts'
import { Facts } from './list.tsx'
import { nameOf, rowClass, Title, useRows, Waiting } from './rows.tsx'

/** Cards in columns. A card is dragged, or moved with its menu by people who cannot drag. */
export function Board({ panel, answer, scope, of }: Drawn<PanelOf<'board'>>) {
  const { rows, waiting, hold, settle } = useRows(panel, answer, of)
  const [over, setOver] = useState<string>()
  const columnOf = ({ value }: HeldRow): string => String(at(value, panel.column) ?? '')
  // The board shows a page of the list, so a column may hold more than its cards.
  const more = panel.paging !== undefined && typeof at(answer, panel.paging.next) === 'string' ? '+' : ''
  const named = new Set(panel.columns.map(({ value }) => value))
  const others = rows.filter((row) => !named.has(columnOf(row)))
  const columns = [...panel.columns, ...(others.length > 0 ? [{ value: '', label: 'Others', tone: 'neutral' as const }] : [])]
  const target = (row: HeldRow): Target => ({ name: nameOf(row.value, panel.card.title), scope: { ...scope, row: row.value } })
  const move = (key: string, column: string): void => {
    const row = rows.find((one) => one.key === key)
    if (!row || !panel.move || columnOf(row) === column) return
    const { name, scope: own } = target(row)
    begin(panel.move, [{ name, scope: { ...own, column } }])
  }
  return (
    <>
      <Waiting count={waiting} settle={settle} />
      <div class="board" role="region" aria-label={`${panel.title}: columns`} tabIndex={0} {...hold}>
        {columns.map(({ value, label, tone }) => {
          const cards = value === '' ? others : rows.filter((row) => columnOf(row) === value)
          return (
            <section
              key={value}
              class={over === value ? 'column over' : 'column'}
              aria-label={label}
              onDragOver={(event) => {
                if (!panel.move || value === '') return
                event.preventDefault()
                setOver(value)
              }}
              onDragLeave={() => setOver(undefined)}
              onDrop={(event) => {
                event.preventDefault()
                setOver(undefined)
                if (value !== '') move(event.dataTransfer?.getData('text/plain') ?? '', value)
              }}
            >
              <h3 class={tone}>
                {label} <span class="count">{`${cards.length}${more}`}</span>
              </h3>
              <ul>
                {cards.map((row) => (
                  <li
                    key={row.key}
                    class={rowClass(row)}
                    draggable={panel.move !== undefined}
                    onDragStart={(event) => event.dataTransfer?.setData('text/plain', row.key)}
                  >
                    <div class="title">
                      <Title field={panel.card.title} scope={target(row).scope} open={panel.open} />
                    </div>
                    <Facts fields={panel.card.fields} scope={target(row).scope} />
                    <div class="card-acts">
                      {panel.move && (
                        <Mover
                          name={target(row).name}
                          columns={panel.columns.filter((column) => column.value !== columnOf(row))}
                          move={(column) => move(row.key, column)}
                        />
                      )}
                      <RowActions actions={panel.actions} target={target(row)} />
                    </div>
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
    </>
  )
}

interface MoverProps {
  readonly name: string
  readonly columns: PanelOf<'board'>['columns']
  readonly move: (column: string) => void
}

/** Moves only on confirmation: the choice changes with every key, before it is final. */
function Mover({ name, columns, move }: MoverProps) {
  const [chosen, setChosen] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    if (chosen !== '') move(chosen)
  }
  return (
    <form onSubmit={submit}>
      <select aria-label={`Move ${name} to`} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
        <option value="">Move to …</option>
        {columns.map((column) => (
          <option key={column.value} value={column.value}>
            {plain(column.label)}
          </option>
        ))}
      </select>
      {chosen !== '' && (
        <button type="submit" class="small">
          Move
        </button>
      )}
    </form>
  )
}
