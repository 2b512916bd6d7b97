import type { PanelOf } from '../contract.ts'
import { duration } from '../figures.ts'
import { Field } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import type { Drawn } from './drawn.ts'
import { Facts } from './list.tsx'
import { rowClass, useRows, Waiting } from './rows.tsx'

/** Widest and narrowest part of the drawing, whose width is 1,000. */
const WHOLE = 1_000
const MIN_WIDTH = 4

export function Waterfall({ panel, answer, scope, of }: Drawn<PanelOf<'waterfall'>>) {
  const { rows, waiting, hold, settle } = useRows(panel, answer, of)
  const timed = rows.map((row) => ({ row, start: ms(at(row.value, panel.start)), end: ms(at(row.value, panel.end)) }))
  const starts = timed.flatMap(({ start }) => start ?? [])
  const first = Math.min(...starts)
  const span = Math.max(1, ...timed.map(({ end }) => (end ?? first) - first))
  const inOrder = [...timed].sort((a, b) => (a.start ?? Number.MAX_VALUE) - (b.start ?? Number.MAX_VALUE))
  return (
    <>
      <Waiting count={waiting} settle={settle} />
      <ol class="waterfall" {...hold}>
        {inOrder.map(({ row, start, end }) => {
          const own = { ...scope, row: row.value }
          const x = start === undefined ? 0 : ((start - first) / span) * WHOLE
          const width = start === undefined || end === undefined ? 0 : Math.max(MIN_WIDTH, ((end - start) / span) * WHOLE)
          return (
            <li key={row.key} class={rowClass(row)}>
              <div class="title">
                <Field field={panel.head} scope={own} />
              </div>
              <svg viewBox={`0 0 ${WHOLE} 10`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
                <rect class="whole" width={WHOLE} height="10" />
                <rect x={Math.min(x, WHOLE - MIN_WIDTH)} width={width} height="10" />
              </svg>
              <Facts fields={panel.fields} scope={own} />
            </li>
          )
        })}
      </ol>
      {starts.length > 0 && <p class="state calm">All together {duration(span)}.</p>}
    </>
  )
}

const ms = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
