import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Bulk } from '../actions/bulk.tsx'
import { RowActions } from '../actions/buttons.tsx'
import { recordPath } from '../actions/record.ts'
import type { Target } from '../actions/target.ts'
import type { FieldView, PanelOf } from '../contract.ts'
import { Field, isEmpty, JsonValue } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import { place, setQuery } from '../router.ts'
import type { Drawn } from './drawn.ts'
import { nameOf, rowClass, Title, useRows, Waiting } from './rows.tsx'
import { nextOrder, ordered, orderFrom, orderText, withWords } from './table-order.ts'
import type { Measured, VirtualBodyProps } from './virtual-body.tsx'

/** Number of rows that makes it worth while to narrow a table down by words. */
const SEARCHED = 8
/** Number of rows from which those that are out of view are not drawn. */
const WHOLE = 40
/** The list goes on when its last rows are as near as this. */
const NEAR_END = 20
const FIGURES = new Set(['number', 'money', 'percent', 'duration', 'bytes'])

/** On a narrow screen each row becomes a card; the roles keep it a table for screen readers. */
export function Table({ panel, answer, scope, of, more, see }: Drawn<PanelOf<'table'>>) {
  const { rows: all, waiting, hold, settle } = useRows(panel, answer, of)
  // The order and the words are part of the address, as the filters are.
  const orderName = `${panel.id}.order`
  const wordsName = `${panel.id}.words`
  const order = orderFrom(place.value.query.get(orderName))
  const words = place.value.query.get(wordsName) ?? ''
  const scroller = useRef<HTMLDivElement>(null)
  const Body = useVirtualBody(all.length > WHOLE)
  const rows = ordered(withWords(all, panel.columns.concat(panel.fields), words), panel.columns, order)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const first = panel.columns[0] as FieldView
  const asksWords = panel.filters.some(({ argument }) => /^q(uery)?$/.test(argument))
  const bulk = panel.actions.filter((action) => action.effect !== 'read' && !action.shows && !action.leads)
  // A column that says nothing in any row takes room from those that do.
  const columns = panel.columns.filter((field, index) => index === 0 || all.some((row) => !isEmpty(at(row.value, field.value))))
  const targets = rows.map((row): Target & { key: string; record: string | undefined } => {
    const own = { ...scope, row: row.value }
    return { key: row.key, name: nameOf(row.value, first), scope: own, record: recordPath(panel.open, first, own) }
  })
  const acting = panel.actions.length > 0 || targets.some(({ record }) => record !== undefined)
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
  const viewed = (from: number, to: number): void => {
    see?.(rows.slice(from, to + 1).map(({ value }) => value))
    if (to >= rows.length - NEAR_END) more?.()
  }
  const drawn = (index: number, measured?: Measured) => {
    const row = rows[index]
    const target = targets[index]
    if (!row || !target) return null
    return (
      <tr role="row" key={row.key} class={rowClass(row)} aria-rowindex={index + 2} {...measured}>
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
            class={`${column === 0 ? 'title' : FIGURES.has(field.format) ? 'right' : `is-${field.format}`}${isEmpty(at(row.value, field.value)) ? ' is-empty' : ''}`}
          >
            {column > 0 && (
              <span class="label" aria-hidden="true">
                {field.label}
              </span>
            )}
            {column === 0 ? <Title field={field} scope={target.scope} open={panel.open} /> : <Field field={field} scope={target.scope} />}
          </td>
        ))}
        {panel.fields[0] && (
          <td role="cell">
            <JsonValue value={Object.fromEntries(panel.fields.map(({ label, value }) => [label, at(row.value, value)]))} />
          </td>
        )}
        {acting && (
          <td role="cell" class="acts">
            <RowActions actions={panel.actions} target={target} record={target.record} />
          </td>
        )}
      </tr>
    )
  }
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
            onInput={({ currentTarget: { value } }) => setQuery(wordsName, value === '' ? undefined : value)}
          />
          {words !== '' && (
            <span role="status">
              {rows.length} of {all.length}
            </span>
          )}
        </div>
      )}
      <div
        class={Body ? `scroll tall${more ? ' goes-on' : ''}` : 'scroll'}
        role="region"
        aria-label={`${panel.title}: rows`}
        tabIndex={0}
        ref={scroller}
        {...hold}
      >
        <table role="table" class="rows" aria-rowcount={more ? -1 : rows.length + 1}>
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={1}>
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
                  <button type="button" class="sort" onClick={() => setQuery(orderName, orderText(nextOrder(order, field.label)))}>
                    {field.label}
                  </button>
                </th>
              ))}
              {panel.fields[0] && <th role="columnheader">Details</th>}
              {acting && (
                <th role="columnheader" class="acts">
                  <span class="unseen">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          {Body ? (
            <Body
              key={columns.length}
              count={rows.length}
              keyOf={(index) => rows[index]?.key ?? String(index)}
              row={drawn}
              scroller={scroller}
              viewed={viewed}
            />
          ) : (
            <tbody role="rowgroup">{rows.slice(0, all.length > WHOLE ? WHOLE : rows.length).map((_, index) => drawn(index))}</tbody>
          )}
        </table>
      </div>
      {selected.length > 0 && (
        <Bulk all={bulk.map((action) => ({ action, targets: selected }))} count={selected.length} clear={() => setChosen(new Set())} />
      )}
    </>
  )
}

/** The body for long tables, whose code is fetched with the first of them. */
function useVirtualBody(isLong: boolean): ComponentType<VirtualBodyProps> | undefined {
  const [body, setBody] = useState<{ readonly Body: ComponentType<VirtualBodyProps> }>()
  useEffect(() => {
    if (isLong && !body) void import('./virtual-body.tsx').then(({ VirtualBody: Body }) => setBody({ Body }))
  }, [isLong])
  return isLong ? body?.Body : undefined
}
