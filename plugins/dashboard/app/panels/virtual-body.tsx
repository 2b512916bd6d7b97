import { elementScroll, observeElementOffset, observeElementRect, type Range, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren, RefObject } from 'preact'
import { Fragment } from 'preact'
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

/** Properties of a row whose height is measured. */
export interface Measured {
  readonly ref: (row: HTMLTableRowElement | null) => void
  readonly 'data-index': number
}

export interface VirtualBodyProps {
  readonly count: number
  readonly keyOf: (index: number) => string
  readonly row: (index: number, measured: Measured) => ComponentChildren
  readonly scroller: RefObject<HTMLDivElement | null>
  /** The first and last row in view, after each change of them. */
  readonly viewed: (first: number, last: number) => void
}

const HEIGHT = 40
const OVERSCAN = 12

/** The body of a table of any length: rows that are not near the view take their room, and no elements. */
export function VirtualBody({ count, keyOf, row, scroller, viewed }: VirtualBodyProps) {
  const [, draw] = useReducer((times: number) => times + 1, 0)
  const body = useRef<HTMLTableSectionElement>(null)
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    rangeExtractor: (range: Range) => withFocused(range, body.current),
    onChange: () => draw(undefined),
  }
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLTableRowElement>(options))
  rows.setOptions(options)
  useLayoutEffect(() => rows._didMount(), [])
  useLayoutEffect(() => rows._willUpdate())
  useLayoutEffect(() => steadyColumns(scroller.current), [])
  const items = rows.getVirtualItems()
  const range = rows.range
  const first = range?.startIndex ?? 0
  const last = range?.endIndex ?? 0
  useLayoutEffect(() => viewed(first, last), [first, last, count])
  let end = 0
  return (
    <tbody role="rowgroup" ref={body}>
      {items.map((item) => {
        const gap = item.start - end
        end = item.end
        return (
          <Fragment key={item.key}>
            {gap > 0 && <Gap height={gap} />}
            {row(item.index, { ref: rows.measureElement, 'data-index': item.index })}
          </Fragment>
        )
      })}
      {rows.getTotalSize() > end && <Gap height={rows.getTotalSize() - end} />}
    </tbody>
  )
}

function Gap({ height }: { height: number }) {
  return (
    <tr class="gap">
      <td style={{ height: `${height}px` }} />
    </tr>
  )
}

/** The row that has the focus stays, so that the keyboard does not lose its place. */
function withFocused({ startIndex, endIndex, overscan, count }: Range, body: HTMLElement | null): number[] {
  const from = Math.max(0, startIndex - overscan)
  const to = Math.min(count - 1, endIndex + overscan)
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  const row = document.activeElement?.closest('tr[data-index]')
  const focused = row && body?.contains(row) ? Number((row as HTMLElement).dataset.index) : undefined
  if (focused === undefined || focused >= count || (focused >= from && focused <= to)) return near
  return focused < from ? [focused, ...near] : [...near, focused]
}

/** Columns keep the widths that they have at first: the widest text of a column changes while rows come and go. */
function steadyColumns(scroller: HTMLElement | null): (() => void) | undefined {
  const table = scroller?.querySelector('table')
  if (!scroller || !table) return undefined
  let width = 0
  const heads = (): HTMLElement[] => [...table.querySelectorAll('thead th')] as HTMLElement[]
  const fit = (): void => {
    if (scroller.clientWidth === width) return
    width = scroller.clientWidth
    table.classList.remove('steady')
    for (const head of heads()) head.style.width = ''
    const widths = heads().map(({ offsetWidth }) => offsetWidth)
    // On a narrow screen the rows are cards, without columns.
    if (widths.every((one) => one === 0)) return
    for (const [index, head] of heads().entries()) head.style.width = `${widths[index]}px`
    table.classList.add('steady')
  }
  const size = new ResizeObserver(fit)
  size.observe(scroller)
  fit()
  return () => size.disconnect()
}
