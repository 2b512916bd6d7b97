import { useEffect, useMemo, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { FieldView, PanelOf } from '../contract.ts'
import { Value } from '../parts/value.tsx'
import { at, rowsAt } from '../pointer.ts'
import { plain } from '../text.ts'
import { rangeOf, stacked } from './chart-values.ts'
import type { Drawn } from './drawn.ts'

const HEIGHT = 220
const COLOURS = ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6']
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)

/** Lines or bars over time or names, and the same figures as a table. */
export function Series({ panel, answer }: Drawn<PanelOf<'series'>>) {
  const ref = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => rowsAt(answer, panel.rows, '/$none').map(({ value }) => value), [answer, panel.rows])
  useEffect(() => {
    const place = ref.current
    if (!place) return
    let chart: uPlot | undefined
    const draw = (): void => {
      chart?.destroy()
      chart = drawn(place, panel, rows)
    }
    draw()
    const size = new ResizeObserver(() => chart?.setSize({ width: place.clientWidth, height: HEIGHT }))
    size.observe(place)
    const scheme = window.matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    return () => {
      size.disconnect()
      scheme.removeEventListener('change', draw)
      chart?.destroy()
    }
  }, [rows, panel])
  return (
    <>
      <ul class="legend">
        {panel.lines.map(({ label }, index) => (
          <li key={label} class={`line-${(index % COLOURS.length) + 1}`}>
            {label}
          </li>
        ))}
      </ul>
      <div ref={ref} class="chart" role="img" aria-label={`${panel.title}: the table below has its figures`} />
      <details class="figures-table">
        <summary>Figures</summary>
        <div class="scroll" role="region" aria-label={`Figures of ${panel.title}`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{rows.some((row) => isTime(at(row, panel.x))) ? 'Time' : 'Name'}</th>
                {panel.lines.map(({ label }) => (
                  <th key={label}>{label}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  <th scope="row">{plain(at(row, panel.x))}</th>
                  {panel.lines.map((field) => (
                    <td key={field.label}>
                      <Value value={at(row, field.value)} field={field} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  )
}

function drawn(place: HTMLElement, panel: PanelOf<'series'>, rows: readonly unknown[]): uPlot {
  const style = getComputedStyle(place)
  // The style sheet's values depend on the scheme; a canvas takes plain colours alone.
  const colour = (name: string): string => {
    place.style.setProperty('outline-color', `var(${name})`)
    const found = getComputedStyle(place).outlineColor
    place.style.removeProperty('outline-color')
    return found
  }
  const times = rows.length > 0 && rows.every((row) => isTime(at(row, panel.x)))
  const known = rows
    .map((row, index) => ({ row, x: times ? Date.parse(at(row, panel.x) as string) / 1000 : index }))
    .sort((a, b) => a.x - b.x)
  const plainValues = panel.lines.map(({ value }) =>
    known.map(({ row }) => (typeof at(row, value) === 'number' ? (at(row, value) as number) : null)),
  )
  const values = panel.chart === 'bar' ? stacked(plainValues) : plainValues
  // Bars that contain others are drawn first.
  const order = panel.lines.map((_, index) => index)
  if (panel.chart === 'bar') order.reverse()
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--border'), width: 1 },
    ticks: { show: false },
    font: `11px ${style.fontFamily}`,
  }
  const bars = uPlot.paths.bars?.({ size: [0.7, 48] })
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: false } },
      scales: {
        x: { time: times, range: (_, min, max) => rangeOf(min, max, { count: known.length, times, bars: panel.chart === 'bar' }) },
        y: { range: (_, min, max) => [Math.min(0, min ?? 0), (max || 1) * 1.08] },
      },
      axes: [
        times
          ? axis
          : { ...axis, splits: () => known.map(({ x }) => x), values: () => known.map(({ row }) => plain(at(row, panel.x)).slice(0, 14)) },
        { ...axis, size: 56, values: (_, ticks) => ticks.map((tick) => SHORT.format(tick)) },
      ],
      series: [
        {},
        ...order.map((index) => {
          const { label } = panel.lines[index] as FieldView
          const stroke = colour(COLOURS[index % COLOURS.length] as string)
          return {
            label,
            stroke,
            width: 2,
            points: { show: known.length < 2 },
            ...(panel.chart === 'bar' && bars && { paths: bars, fill: stroke }),
          }
        }),
      ],
    },
    [known.map(({ x }) => x), ...order.map((index) => values[index] as (number | null)[])],
    place,
  )
}
