import type { FieldView, PanelOf } from '../contract.ts'
import { number, timeOf } from '../figures.ts'
import { at, rowsAt } from '../pointer.ts'
import type { Drawn } from './drawn.ts'
import { heatOf } from './heat.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short' })

/** Days as rows and hours as columns: the darker an hour, the more it had. The figures are in the cells, for those who hear the page. */
export function Heatmap({ panel, answer }: Drawn<PanelOf<'heatmap'>>) {
  const fields = panel.lines
  const rows = rowsAt(answer, panel.rows, '/$none').flatMap(({ value }) => {
    const time = timeOf(at(value, panel.x))
    return time ? [{ time, counts: fields.map((field) => Number(at(value, field.value) ?? 0)) }] : []
  })
  const { days, most } = heatOf(rows)
  return (
    <div class="scroll heat" role="region" aria-label={panel.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>
              <span class="unseen">Day</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour}>{hour}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, hours }) => (
            <tr key={day.getTime()}>
              <th scope="row">{DAY.format(day)}</th>
              {hours.map((counts, hour) => (
                <Cell key={hour} counts={counts} most={most} fields={fields} when={`${DAY.format(day)}, ${hour}:00`} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CellProps {
  readonly counts: readonly number[] | undefined
  readonly most: number
  readonly fields: readonly FieldView[]
  readonly when: string
}

const SHADES = 4

function Cell({ counts, most, fields, when }: CellProps) {
  if (!counts) return <td />
  const total = counts.reduce((sum, count) => sum + count, 0)
  const shade = total === 0 ? 0 : Math.max(1, Math.ceil((total / most) * SHADES))
  const text = fields.map(({ label }, index) => `${label} ${number(counts[index] ?? 0)}`).join(', ')
  return (
    <td class={`shade-${shade}`} title={`${when}: ${text}`}>
      <span class="unseen">{text}</span>
    </td>
  )
}
