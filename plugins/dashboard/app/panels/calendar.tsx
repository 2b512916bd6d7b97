import { useMemo, useState } from 'preact/hooks'
import { RowActions } from '../actions/buttons.tsx'
import { now } from '../clock.ts'
import type { PanelOf } from '../contract.ts'
import { timeOf } from '../figures.ts'
import { at } from '../pointer.ts'
import type { Drawn } from './drawn.ts'
import { Facts } from './list.tsx'
import { nameOf, Title, useRows } from './rows.tsx'

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })
const DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric' })
const CLOCK = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })
const WEEK = 7

/** A month in weeks; on a narrow screen, only its days with entries. */
export function Calendar({ panel, answer, scope, of }: Drawn<PanelOf<'calendar'>>) {
  const { rows, hold } = useRows(panel, answer, of)
  const [turned, setTurned] = useState(0)
  const today = new Date(now.value)
  const first = useMemo(
    () =>
      firstMonth(
        rows.map(({ value }) => timeOf(at(value, panel.at))),
        new Date(),
      ),
    [rows.length, panel.at],
  )
  const month = new Date(first.getFullYear(), first.getMonth() + turned, 1)
  const from = new Date(month.getFullYear(), month.getMonth(), 1 - ((month.getDay() + 6) % WEEK))
  const dayAfter = (days: number): Date => new Date(from.getFullYear(), from.getMonth(), from.getDate() + days)
  const last = new Date(month.getFullYear(), month.getMonth() + 1, 0)
  const weeks = Math.ceil(((month.getDay() + 6) % WEEK) / WEEK + last.getDate() / WEEK)
  const days = Array.from({ length: WEEK * Math.min(6, weeks) }, (_, index) => dayAfter(index))
  const within = (row: unknown, day: Date): boolean => {
    const begin = timeOf(at(row, panel.at))
    const end = (panel.until && timeOf(at(row, panel.until))) || begin
    return begin !== undefined && end !== undefined && begin < new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1) && end >= day
  }
  const found = days.map((day) => rows.filter(({ value }) => within(value, day)))
  return (
    <div class="calendar" {...hold}>
      <div class="turn">
        <button type="button" onClick={() => setTurned(turned - 1)}>
          Earlier
        </button>
        <h3 aria-live="polite">{MONTH.format(month)}</h3>
        <button type="button" onClick={() => setTurned(turned + 1)}>
          Later
        </button>
      </div>
      <ol>
        {days.map((day, index) => (
          <li
            key={day.toISOString()}
            class={[
              day.getMonth() === month.getMonth() ? '' : 'other',
              found[index]?.length === 0 ? 'free' : '',
              day.toDateString() === today.toDateString() ? 'today' : '',
            ].join(' ')}
            aria-current={day.toDateString() === today.toDateString() ? 'date' : undefined}
          >
            <span class="day">{DAY.format(day)}</span>
            <ul>
              {found[index]?.map((row) => {
                const own = { ...scope, row: row.value }
                const time = timeOf(at(row.value, panel.at))
                return (
                  <li key={row.key}>
                    {time && <time dateTime={time.toISOString()}>{CLOCK.format(time)}</time>}{' '}
                    <Title field={panel.head} scope={own} open={panel.open} />
                    <Facts fields={panel.fields} scope={own} />
                    <RowActions compact actions={panel.actions} target={{ name: nameOf(row.value, panel.head), scope: own }} />
                  </li>
                )
              })}
            </ul>
          </li>
        ))}
      </ol>
      {found.every((some) => some.length === 0) && <p class="state">No entries in this month.</p>}
    </div>
  )
}

/** Returns this month; if it is empty, the month of the next entry, else of the last. */
function firstMonth(times: readonly (Date | undefined)[], today: Date): Date {
  const known = times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime())
  const isNow = (time: Date): boolean => time.getFullYear() === today.getFullYear() && time.getMonth() === today.getMonth()
  if (known.length === 0 || known.some(isNow)) return today
  return known.find((time) => time > today) ?? (known.at(-1) as Date)
}
