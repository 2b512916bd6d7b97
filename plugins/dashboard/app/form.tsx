import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Json } from './contract.ts'
import { local } from './filters.tsx'
import { CronPreview, Names } from './names.tsx'

interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly FieldSchema[]
  readonly items?: FieldSchema
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly writeOnly?: boolean
}

export type Values = Readonly<Record<string, unknown>>
type Texts = Readonly<Record<string, string | boolean | readonly string[]>>

export interface Draft {
  readonly texts: Texts
}

const propertiesOf = (schema: Json): Readonly<Record<string, FieldSchema>> => (schema.properties ?? {}) as Record<string, FieldSchema>
/** Fields that are removed by naming them in `clear`, which the form does not show: it names the emptied ones. */
const clearableOf = (schema: Json): readonly unknown[] => propertiesOf(schema).clear?.items?.enum ?? []
const requiredOf = (schema: Json): ReadonlySet<string> => new Set((schema.required ?? []) as string[])

type Kind = 'choice' | 'choices' | 'flag' | 'number' | 'line' | 'text' | 'lines' | 'time' | 'secret' | 'json'

const LONG = 300
/** Names are one line, even long ones. */
const NAMING = /(?:title|name|subject|repo|goal|id|url|key)$/i
const WORDY = /^(body|text|description|content|prompt|message|instructions|notes?|reason|spec)$/i

function bare(schema: FieldSchema): FieldSchema {
  const some = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (some?.length === 1) return { ...schema, ...some[0] }
  if (some && some.length > 1 && some.every((one) => one.const !== undefined)) return { ...schema, enum: some.map((one) => one.const) }
  return schema
}

function typeOf({ type }: FieldSchema): string | undefined {
  return typeof type === 'string' ? type : type?.find((one) => one !== 'null')
}

function kindOf(name: string, schema: FieldSchema): Kind {
  const type = typeOf(schema)
  if (schema.enum) return 'choice'
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array' && schema.items && bare(schema.items).enum) return 'choices'
  if (type === 'array' && schema.items && typeOf(bare(schema.items)) === 'string') return 'lines'
  if (type !== 'string') return 'json'
  if (schema.format === 'date-time') return 'time'
  if (schema.format === 'password' || schema.writeOnly) return 'secret'
  return WORDY.test(name) || ((schema.maxLength ?? 0) > LONG && !NAMING.test(name)) ? 'text' : 'line'
}

/** Returns a form's initial draft: the known values, else the defaults of its schema. */
export function draftOf(schema: Json, known: Values): Draft {
  const texts = Object.entries(propertiesOf(schema)).map(([name, given]) => {
    const field = bare(given)
    const value = known[name] ?? field.default
    const kind = kindOf(name, field)
    if (kind === 'flag') return [name, value === true] as const
    if (kind === 'choices') return [name, Array.isArray(value) ? value.map(String) : []] as const
    if (value === undefined || value === null) return [name, ''] as const
    if (kind === 'time') return [name, local(String(value))] as const
    if (kind === 'lines') return [name, (value as string[]).join('\n')] as const
    return [name, typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)] as const
  })
  return { texts: Object.fromEntries(texts) }
}

/** Returns the form's values in the types of its schema, without empty ones. Throws a FormFault. */
export function valuesOf(schema: Json, { texts }: Draft): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(propertiesOf(schema))) {
    const field = bare(given)
    const text = texts[name]
    if (text === undefined || text === '') continue
    if (typeof text === 'boolean') values[name] = text
    else if (typeof text !== 'string') values[name] = text
    else values[name] = typed(name, field, text)
  }
  return values
}

/**
 * Returns the form's values without those of `kept` that stayed as the form began. An emptied one is named in `clear`, if the tool
 * takes it there. Throws a FormFault, also for one that cannot be empty.
 */
export function changesOf(schema: Json, begun: Draft, draft: Draft, kept: readonly string[]): Record<string, unknown> {
  const values = valuesOf(schema, draft)
  const properties = propertiesOf(schema)
  const required = requiredOf(schema)
  const clearable = clearableOf(schema)
  const emptied = kept.filter((name) => draft.texts[name] === '' && begun.texts[name] !== '')
  for (const name of emptied) {
    if (!clearable.includes(name)) throw new FormFault(name, `${labelOf(name, properties[name] ?? {})} must not be empty.`)
  }
  for (const name of kept) {
    if (!required.has(name) && JSON.stringify(draft.texts[name]) === JSON.stringify(begun.texts[name])) delete values[name]
  }
  if (clearable.length === 0) return values
  const { clear: _unseen, ...rest } = values
  return emptied.length === 0 ? rest : { ...rest, clear: emptied }
}

export class FormFault extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

function typed(name: string, field: FieldSchema, text: string): unknown {
  switch (kindOf(name, field)) {
    case 'number':
      return Number(text)
    case 'choice':
      return field.enum?.find((value) => String(value) === text) ?? text
    case 'lines':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    case 'time':
      return new Date(text).toISOString()
    case 'json':
      try {
        return JSON.parse(text)
      } catch (error) {
        throw new FormFault(name, `${labelOf(name, field)} must be JSON: ${(error as Error).message}`)
      }
    default:
      return text
  }
}

/** `fileGlobs` becomes "File globs". */
function labelOf(name: string, { title }: FieldSchema): string {
  if (title) return title
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The object that a field takes, alone or in a list. */
const objectIn = (field: FieldSchema): FieldSchema => bare(field.items ?? field)

/** An example with the members that must be there; undefined if there are none. */
function exampleOf(field: FieldSchema): string | undefined {
  const { properties = {}, required = [] } = objectIn(field)
  if (required.length === 0) return undefined
  const example = Object.fromEntries(required.map((name) => [name, SAMPLES[typeOf(bare(properties[name] ?? {})) ?? ''] ?? '…']))
  return JSON.stringify(field.items ? [example] : example)
}

const SAMPLES: Readonly<Record<string, unknown>> = { number: 1, integer: 1, boolean: true, array: [], object: {} }

export interface FieldsProps {
  readonly schema: Json
  readonly draft: Draft
  readonly change: (draft: Draft) => void
  /** The refused field. */
  readonly wrong?: string | undefined
}

/** The fields of a JSON schema of an object, required ones first. */
export function Fields({ schema, draft, change, wrong }: FieldsProps) {
  const required = requiredOf(schema)
  const shown = Object.entries(propertiesOf(schema)).filter(([name]) => name !== 'clear' || clearableOf(schema).length === 0)
  const fields = shown.sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
  return (
    <div class="fields">
      {fields.map(([name, given]) => (
        <OneField
          key={name}
          name={name}
          field={bare(given)}
          required={required.has(name)}
          value={draft.texts[name] ?? ''}
          wrong={wrong === name}
          set={(value) => change({ texts: { ...draft.texts, [name]: value } })}
        />
      ))}
    </div>
  )
}

interface OneFieldProps {
  readonly name: string
  readonly field: FieldSchema
  readonly required: boolean
  readonly value: string | boolean | readonly string[]
  readonly wrong: boolean
  readonly set: (value: string | boolean | readonly string[]) => void
}

function OneField({ name, field, required, value, wrong, set }: OneFieldProps) {
  const id = useId()
  const kind = kindOf(name, field)
  const label = labelOf(name, field)
  const members = kind === 'json' ? Object.keys(objectIn(field).properties ?? {}) : []
  const hints = [
    kind === 'lines' ? 'One a line.' : kind === 'json' ? 'As JSON.' : '',
    field.description ?? '',
    members.length > 0 ? `Members: ${members.join(', ')}.` : '',
  ].filter((hint) => hint !== '')
  const hint = hints.length > 0 ? <small id={`${id}-hint`}>{hints.join(' ')}</small> : null
  const common = {
    id,
    name,
    required,
    'aria-invalid': wrong || undefined,
    'aria-describedby': hint ? `${id}-hint` : undefined,
    autocomplete: 'off',
  } as const
  const typing = (event: Event): void => set((event.currentTarget as HTMLInputElement).value)
  if (kind === 'flag')
    return (
      <div class="field flag">
        <input
          {...common}
          required={false}
          type="checkbox"
          checked={value === true}
          onChange={(event) => set(event.currentTarget.checked)}
        />
        <label for={id}>{label}</label>
        {hint}
      </div>
    )
  if (kind === 'choices') {
    const chosen = value as readonly string[]
    return (
      <fieldset class="field">
        <legend>{label}</legend>
        {(bare(field.items as FieldSchema).enum ?? []).map(String).map((option) => (
          <label key={option} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={(event) => set(event.currentTarget.checked ? [...chosen, option] : chosen.filter((one) => one !== option))}
            />
            {option}
          </label>
        ))}
        {hint}
      </fieldset>
    )
  }
  return (
    <div class="field">
      <label for={id}>
        {label}
        {required && <span class="must"> (required)</span>}
      </label>
      {control()}
      {hint}
    </div>
  )

  function control(): ComponentChildren {
    const text = value as string
    switch (kind) {
      case 'choice':
        return (
          <select {...common} value={text} onChange={typing}>
            {(!required || text === '') && <option value="">–</option>}
            {field.enum?.map((option) => (
              <option key={String(option)} value={String(option)}>
                {String(option)}
              </option>
            ))}
          </select>
        )
      case 'text':
      case 'lines':
      case 'json':
        return (
          <textarea
            {...common}
            rows={kind === 'text' ? 5 : 3}
            class={kind === 'json' ? 'code' : undefined}
            placeholder={kind === 'json' ? exampleOf(field) : undefined}
            value={text}
            onInput={typing}
          />
        )
      case 'number':
        return (
          <input
            {...common}
            type="number"
            step={typeOf(field) === 'integer' ? 1 : 'any'}
            min={field.minimum}
            max={field.maximum}
            value={text}
            onInput={typing}
          />
        )
      case 'time':
        return <input {...common} type="datetime-local" value={text} onInput={typing} />
      case 'secret':
        return <input {...common} type="password" minLength={field.minLength} maxLength={field.maxLength} value={text} onInput={typing} />
      default:
        return (
          <>
            <input
              {...common}
              type="text"
              list={`${id}-names`}
              minLength={field.minLength}
              maxLength={field.maxLength}
              value={text}
              onInput={typing}
            />
            <Names id={`${id}-names`} field={name} />
            {name === 'cronExpr' && <CronPreview expression={text} />}
          </>
        )
    }
  }
}
