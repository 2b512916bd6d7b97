import { useState } from 'preact/hooks'
import { begin } from '../actions/begin.ts'
import { RowActions } from '../actions/buttons.tsx'
import { applies, formOf } from '../actions/rules.ts'
import type { Target } from '../actions/target.ts'
import type { ActionView, FieldView, PanelOf } from '../contract.ts'
import { Field, isEmpty } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import type { Drawn } from './drawn.ts'
import { nameOf, rowClass, Title, useRows, Waiting } from './rows.tsx'
import { nextOrder, type Order, ordered, withWords } from './table-order.ts'

/** Number of rows that makes it worth while to narrow a table down by words. */
const SEARCHED = 8
const FIGURES = new Set(['number', 'money', 'percent', 'duration', 'bytes'])

/** On a narrow screen each row becomes a card; the roles keep it a table for screen readers. */
export function Table({ panel, answer, scope, of }: Drawn<PanelOf<'table'>>) {
  const { rows: all, waiting, hold, settle } = useRows(panel, answer, of)
  const [order, setOrder] = useState<Order>()
  const [words, setWords] = useState('')
  const rows = ordered(withWords(all, panel.columns, words), panel.columns, order)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const first = panel.columns[0] as FieldView
  const asksWords = panel.filters?.some(({ argument }) => argument === 'q' || argument === 'query') ?? false
  const bulk = (panel.actions ?? []).filter((action) => action.effect !== 'read' && !action.shows && !action.leads)
  const acting = (panel.actions ?? []).length > 0
  // A column that says nothing in any row takes room from those that do.
  const columns = panel.columns.filter((field, index) => index === 0 || all.some((row) => !isEmpty(at(row.value, field.value))))
  const targets = rows.map((row): Target & { key: string } => {
    const own = { ...scope, row: row.value }
    return { key: row.key, name: nameOf(row.value, first), scope: own }
  })
  const selected = targets.filter(({ key }) => chosen.has(key))
  const choose = (keys: readonly string[], on: boolean): void => {
    const next = new Set(chosen)
    for (const key of keys) {
      if (on) next.add(key)
      else next.delete(key)
    }
    setChosen(next)
  }
  const isAll = rows.length > 0 && selected.length === rows.length
  return (
    <>
      <Waiting count={waiting} settle={settle} />
      {all.length >= SEARCHED && !asksWords && (
        <div class="words">
          <input
            type="search"
            aria-label={`Words in the rows of ${panel.title}`}
            placeholder="Words in these rows"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          {words !== '' && (
            <span role="status">
              {rows.length} of {all.length}
            </span>
          )}
        </div>
      )}
      <div class="scroll" role="region" aria-label={`${panel.title}: rows`} tabIndex={0} {...hold}>
        <table role="table" class="rows">
          <thead role="rowgroup">
            <tr role="row">
              {bulk.length > 0 && (
                <th role="columnheader" class="pick">
                  <input
                    type="checkbox"
                    aria-label={`Select all of ${panel.title}`}
                    checked={isAll}
                    onChange={() =>
                      choose(
                        targets.map(({ key }) => key),
                        !isAll,
                      )
                    }
                  />
                </th>
              )}
              {columns.map((field, column) => (
                <th
                  role="columnheader"
                  key={field.label}
                  class={column > 0 && FIGURES.has(field.format) ? 'right' : undefined}
                  aria-sort={order?.label === field.label ? (order.down ? 'descending' : 'ascending') : undefined}
                >
                  <button type="button" class="sort" onClick={() => setOrder(nextOrder(order, field.label))}>
                    {field.label}
                  </button>
                </th>
              ))}
              {acting && (
                <th role="columnheader">
                  <span class="unseen">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row, index) => {
              const target = targets[index] as (typeof targets)[number]
              return (
                <tr role="row" key={row.key} class={rowClass(row)}>
                  {bulk.length > 0 && (
                    <td role="cell" class="pick">
                      <input
                        type="checkbox"
                        aria-label={`Select ${target.name}`}
                        checked={chosen.has(row.key)}
                        onChange={(event) => choose([row.key], event.currentTarget.checked)}
                      />
                    </td>
                  )}
                  {columns.map((field, column) => (
                    <td
                      role={column === 0 ? 'rowheader' : 'cell'}
                      key={field.label}
                      class={column === 0 ? 'title' : FIGURES.has(field.format) ? 'right' : `is-${field.format}`}
                    >
                      {column > 0 && (
                        <span class="label" aria-hidden="true">
                          {field.label}
                        </span>
                      )}
                      {column === 0 ? (
                        <Title field={field} scope={target.scope} open={panel.open} />
                      ) : (
                        <Field field={field} scope={target.scope} />
                      )}
                    </td>
                  ))}
                  {acting && (
                    <td role="cell" class="acts">
                      <RowActions actions={panel.actions} target={target} />
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {selected.length > 0 && <Bulk actions={bulk} selected={selected} clear={() => setChosen(new Set())} />}
    </>
  )
}

/** Actions that apply to all selected rows. */
function Bulk({ actions, selected, clear }: { actions: readonly ActionView[]; selected: readonly Target[]; clear: () => void }) {
  const fitting = actions
    .map((action) => ({ action, targets: selected.filter(({ scope }) => applies(action, scope.row)) }))
    .filter(({ targets }) => targets.length > 0)
  return (
    <div class="bulk" role="group" aria-label="Selected">
      <span role="status">{selected.length} selected</span>
      {fitting.map(({ action, targets }) => (
        <button type="button" key={action.id} class={action.tone} onClick={() => begin(action, targets)}>
          {action.label}
          {targets.length < selected.length && ` (${targets.length})`}
          {formOf(action) && ' …'}
        </button>
      ))}
      <button type="button" class="quiet" onClick={clear}>
        Clear
      </button>
    </div>
  )
}
