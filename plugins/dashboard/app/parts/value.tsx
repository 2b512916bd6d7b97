import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { linkTo, type Scope } from '../arguments.ts'
import { now } from '../clock.ts'
import type { FieldView, Tone } from '../contract.ts'
import { ago, bytes, duration, exactly, money, number, percent, timeOf } from '../figures.ts'
import { at } from '../pointer.ts'
import { cut, plain, readable } from '../text.ts'

/** Maximum length of a cell; longer text is cut and can be opened. */
const CELL = 280
const WHOLE = 4_000
const MOST_ITEMS = 12

const NOTHING = <span class="none">–</span>

/** A field of a row, in its format and with its link. `roomy`: in its own panel, which has space for long texts. */
export function Field({ field, scope, roomy = false }: { field: FieldView; scope: Scope; roomy?: boolean }) {
  const value = at(scope.row, field.value)
  const beside = field.beside === undefined || value === undefined ? undefined : at(scope.row, field.beside)
  const own = <Value value={value} field={field} roomy={roomy} />
  const shown =
    beside === undefined || beside === null ? (
      own
    ) : (
      <>
        {own} <span class="beside">({cut(plain(beside), 120)})</span>
      </>
    )
  const address = field.link && value !== undefined && value !== null ? linkTo(field.link, scope) : undefined
  return address === undefined ? shown : <a href={address}>{shown}</a>
}

export function Value({ value, field, roomy = false }: { value: unknown; field: Omit<FieldView, 'value' | 'label'>; roomy?: boolean }) {
  if (value === undefined || value === null || value === '') return NOTHING
  if (Array.isArray(value) && field.format !== 'json') return <Several values={value} field={field} />
  switch (field.format) {
    case 'time':
      return <Time value={value} />
    case 'badge':
      return <Badge tone={field.tones?.[String(value)] ?? 'neutral'}>{cut(plain(value), 80).replaceAll('_', ' ')}</Badge>
    case 'code':
      return (
        <code class="code">
          <Text text={plain(value)} roomy={roomy} />
        </code>
      )
    case 'boolean':
      return <>{value === true ? 'yes' : value === false ? 'no' : plain(value)}</>
    case 'json':
      return <JsonValue value={value} open={roomy} />
    case 'text':
      return typeof value === 'object' ? <JsonValue value={value} open={roomy} /> : <Text text={String(value)} roomy={roomy} />
    default:
      return typeof value === 'number' ? <span class="figure">{figure(value, field)}</span> : <Text text={plain(value)} roomy={roomy} />
  }
}

function figure(value: number, { format, unit }: Omit<FieldView, 'value' | 'label'>): string {
  if (format === 'duration') return duration(value, unit)
  if (format === 'bytes') return bytes(value)
  if (format === 'money') return money(value, unit)
  if (format === 'percent') return percent(value)
  return unit ? `${number(value)} ${unit}` : number(value)
}

function Several({ values, field }: { values: readonly unknown[]; field: Omit<FieldView, 'value' | 'label'> }) {
  if (values.length === 0) return NOTHING
  return (
    <span class="several">
      {values.slice(0, MOST_ITEMS).map((value, index) => (
        <Value
          key={index}
          value={value}
          field={field.format === 'text' && typeof value !== 'object' ? { ...field, format: 'badge' } : field}
        />
      ))}
      {values.length > MOST_ITEMS && <span class="none">and {values.length - MOST_ITEMS} more</span>}
    </span>
  )
}

/** Untrusted text, with its own direction. */
export function Text({ text, roomy = false }: { text: string; roomy?: boolean }) {
  const [open, setOpen] = useState(false)
  const most = roomy ? WHOLE : CELL
  const long = text.length > most
  return (
    <>
      <bdi class={roomy ? 'prose' : undefined}>{readable(long && !open ? cut(text, most) : text)}</bdi>
      {long && roomy && (
        <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show all ${number(text.length)} characters`}
        </button>
      )}
    </>
  )
}

export function Time({ value }: { value: unknown }) {
  const time = timeOf(value)
  if (time === undefined) return <Text text={plain(value)} />
  return (
    <time dateTime={time.toISOString()} title={exactly(time)}>
      {ago(time, now.value)}
    </time>
  )
}

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

const MOST_FIELDS = 40

/** True if a value is a small record of plain values, or of such records: it reads better as fields than as JSON. */
function isSmall(value: unknown, depth = 0): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const values = Object.values(value)
  return (
    values.length > 0 &&
    values.length <= MOST_FIELDS &&
    values.every((one) => typeof one !== 'object' || one === null || (depth < 1 && isSmall(one, depth + 1)))
  )
}

function Nested({ value }: { value: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="nested">
      {Object.entries(value).map(([name, one]) => (
        <div key={name}>
          <dt>{cut(readable(name), 80).replaceAll('_', ' ')}</dt>
          <dd>
            {isSmall(one) ? (
              <Nested value={one} />
            ) : (
              <Value value={one} field={{ format: typeof one === 'number' ? 'number' : 'text' }} roomy />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function JsonValue({ value, open = false }: { value: unknown; open?: boolean }) {
  if (open && isSmall(value)) return <Nested value={value} />
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return (
    <details class="json" open={open && text.length < 2_000}>
      <summary>{cut(readable(JSON.stringify(value) ?? ''), 60)}</summary>
      <pre tabIndex={0}>{readable(cut(text, 200_000))}</pre>
    </details>
  )
}
