import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { linkTo, type Scope } from '../arguments.ts'
import { now } from '../clock.ts'
import type { FieldView, Tone } from '../contract.ts'
import { ago, bytes, clockTime, duration, exactly, money, number, percent, timeOf } from '../figures.ts'
import { at } from '../pointer.ts'
import { match } from '../router.ts'
import { pages } from '../session.ts'
import { cut, plain, readable } from '../text.ts'
import { titleOf } from '../titles.ts'
import { Used } from './spark.tsx'

/** Maximum length of a cell; longer text is cut and can be opened. */
const CELL = 280
const WHOLE = 4_000
const MAX_ITEMS = 12

/** True if a value says nothing, so that its member is not shown. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const NOTHING = <span class="none">–</span>

/** A field of a row, in its format and with its link. `roomy`: in its own panel, which has space for long texts. */
export function Field({ field, scope, roomy = false }: { field: FieldView; scope: Scope; roomy?: boolean }) {
  const value = at(scope.row, field.value)
  const beside = field.beside === undefined || value === undefined ? undefined : at(scope.row, field.beside)
  const own = (
    <>
      <Value value={value} field={field} roomy={roomy} />
      {typeof value === 'number' && value >= numberAt(scope.row, field.stopsAt) && '+'}
      {typeof field.limit === 'number' && typeof value === 'number' && <Used value={value} limit={field.limit} />}
    </>
  )
  const address = value === undefined || value === null ? undefined : addressOf(field, scope)
  const shown = address === undefined ? own : <a href={address}>{own}</a>
  if (beside === undefined || beside === null || beside === value) return shown
  return (
    <span>
      {shown} <span class="beside">({cut(plain(beside), 120).replaceAll('_', ' ')})</span>
    </span>
  )
}

/** A number that a field names, or that is at the place it names; infinite if there is none. */
function numberAt(row: unknown, of: string | number | undefined): number {
  const number = typeof of === 'string' ? at(row, of) : of
  return typeof number === 'number' ? number : Number.POSITIVE_INFINITY
}

/** Address that a field leads to, by its link or by the path that its row has. */
function addressOf({ link, page }: FieldView, scope: Scope): string | undefined {
  if (link) return linkTo(link, scope)
  const path = page === undefined ? undefined : at(scope.row, page)
  return typeof path === 'string' && path.startsWith('/') && match(pages.value, path.split('?')[0] as string)
    ? `/dashboard${path}`
    : undefined
}

export function Value({ value, field, roomy = false }: { value: unknown; field: Omit<FieldView, 'value' | 'label'>; roomy?: boolean }) {
  if (value === undefined || value === null || value === '') return NOTHING
  if (Array.isArray(value) && field.format !== 'json') return <Several values={value} field={field} />
  const title = field.titleOf === undefined || typeof value !== 'string' ? undefined : titleOf(field.titleOf, value)
  if (title !== undefined)
    return (
      <span title={plain(value)}>
        <Text text={title} roomy={roomy} />
      </span>
    )
  switch (field.format) {
    case 'time':
      return <Time value={value} />
    case 'badge':
      return <Badge tone={field.tones?.[String(value)] ?? 'neutral'}>{field.words?.[String(value)] ?? asWord(value)}</Badge>
    case 'code':
      return (
        <code class="code" title={isHash(value) ? value : undefined}>
          <Text text={isHash(value) ? value.slice(0, HASH) : plain(value)} roomy={roomy} />
        </code>
      )
    case 'boolean':
      return <>{field.words?.[String(value)] ?? asWord(value)}</>
    case 'json':
      return <JsonValue value={value} open={roomy} />
    case 'text':
      return typeof value === 'object' ? <JsonValue value={value} open={roomy} /> : <Text text={String(value)} roomy={roomy} />
    default:
      return typeof value === 'number' ? <span class="figure">{figure(value, field)}</span> : <Text text={plain(value)} roomy={roomy} />
  }
}

/** Digits of a hash that are shown: they identify a commit among a million. */
const HASH = 10
const isHash = (value: unknown): value is string => typeof value === 'string' && /^[\da-f]{40}([\da-f]{24})?$/.test(value)

const asWord = (value: unknown): string => (value === true ? 'yes' : value === false ? 'no' : cut(plain(value), 80).replaceAll('_', ' '))

export function figure(value: number, { format, unit }: Omit<FieldView, 'value' | 'label'>): string {
  if (format === 'duration') return duration(value, unit)
  if (format === 'bytes') return bytes(value)
  if (format === 'money') return money(value, unit)
  if (format === 'percent') return percent(value)
  return unit ? `${number(value)} ${unit}` : number(value)
}

/** Characters of the longest text that is shown as a badge in a list of texts. */
const MAX_BADGE = 40

function Several({ values, field }: { values: readonly unknown[]; field: Omit<FieldView, 'value' | 'label'> }) {
  if (values.length === 0) return NOTHING
  // Sentences and titles are lines; words are badges.
  const lines = field.titleOf || values.some((value) => plain(value).length > MAX_BADGE)
  return (
    <span class={lines ? 'several lines' : 'several'}>
      {values.slice(0, MAX_ITEMS).map((value, index) => (
        <Value
          key={index}
          value={value}
          field={field.format === 'text' && !lines && typeof value !== 'object' ? { ...field, format: 'badge' } : field}
        />
      ))}
      {values.length > MAX_ITEMS && <span class="none">and {values.length - MAX_ITEMS} more</span>}
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
      {ago(time, now.value)} <span class="clock">{clockTime(time, now.value)}</span>
    </time>
  )
}

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** Members and items that are shown; a larger value is shown as JSON. */
const MAX_PARTS = 60
const MAX_DEPTH = 4

/** True if a value is small enough to be read as members and items. */
function isSmall(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true
  const parts = Object.values(value)
  return depth < MAX_DEPTH && parts.length <= MAX_PARTS && parts.every((part) => isSmall(part, depth + 1))
}

/** A record as its members, a list as its items; members without a value are left out. */
function Nested({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null)
    return (
      <Value
        value={value}
        field={{ format: typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text' }}
        roomy
      />
    )
  if (Array.isArray(value))
    return (
      <ul class="parts">
        {value.map((item, index) => (
          <li key={index}>
            <Nested value={item} />
          </li>
        ))}
      </ul>
    )
  return (
    <dl class="nested">
      {Object.entries(value)
        .filter(([, part]) => !isEmpty(part))
        .map(([name, part]) => (
          <div key={name}>
            <dt>{cut(readable(name), 80).replaceAll('_', ' ')}</dt>
            <dd>
              <Nested value={part} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

/** A value in one line of words: `machine: forge, state: alive`. */
function inWords(value: unknown): string {
  if (typeof value !== 'object' || value === null) return plain(value)
  const parts = Array.isArray(value)
    ? value.map(inWords)
    : Object.entries(value).flatMap(([name, part]) => (isEmpty(part) ? [] : `${name}: ${inWords(part)}`))
  return parts.join(', ')
}

export function JsonValue({ value, open = false }: { value: unknown; open?: boolean }) {
  const small = isSmall(value)
  if (open && small) return <Nested value={value} />
  const words = readable(small ? inWords(value) : 'Details')
  if (small && words.length <= 60) return <bdi>{words}</bdi>
  return (
    <details class="json">
      <summary>{cut(words, 60)}</summary>
      {small ? <Nested value={value} /> : <pre tabIndex={0}>{readable(cut(JSON.stringify(value, null, 2) ?? '', 200_000))}</pre>}
    </details>
  )
}
