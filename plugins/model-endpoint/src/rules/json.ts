import { BadRequest } from '@gateway/sdk'
import type { Format } from './conversation.ts'

export type Json = Readonly<Record<string, unknown>>

export const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function refuse(field: string, why: string): never {
  throw BadRequest({ field, message: `\`${field}\` ${why}` })
}
export const untranslatable = (field: string): never =>
  refuse(field, 'cannot be translated for the provider of this model, which speaks the other wire.')

export function requireObject(value: unknown, field: string): Json {
  return object(value) ?? refuse(field, 'must be an object.')
}

/** A list of a body; absent and null are an empty one. */
export function listAt(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : refuse(field, `must be a list; got ${shown(value)}.`)
}

/** A text of a body, such as an id or a name, with at least one character. */
export function textAt(value: unknown, field: string): string {
  return typeof value === 'string' && value !== '' ? value : refuse(field, `must be a text that is not empty; got ${shown(value)}.`)
}

/** The arguments of a call, as JSON. Absent, null and blank are an empty object; some clients send the object itself. */
export function argumentsAt(value: unknown, field: string): string {
  if (value === undefined || value === null) return '{}'
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value
  return JSON.stringify(object(value) ?? refuse(field, `must be JSON as a text; got ${shown(value)}.`))
}

/** Parts of a content: a text is its only part. */
export function contentAt(value: unknown, field: string): string | readonly unknown[] {
  return typeof value === 'string' || Array.isArray(value) ? value : refuse(field, `must be a text or a list; got ${shown(value)}.`)
}

/** The JSON schema of a tool's input; absent and null are that of no arguments. */
export function schemaAt(value: unknown, field: string): Json {
  return value === undefined || value === null ? { type: 'object', properties: {} } : requireObject(value, field)
}

const FORMAT_NAME = 'answer'
/** Structured output: a JSON schema under `schema`, with a name and strictness where the wire has them. A text is not a format. */
export function formatAt(value: unknown, field: string): Format | undefined {
  if (value === undefined || value === null) return undefined
  const { type, json_schema: nested } = requireObject(value, field)
  if (type === 'text') return undefined
  if (type !== 'json_schema') return untranslatable(field)
  const inner = nested === undefined ? requireObject(value, field) : requireObject(nested, `${field}.json_schema`)
  const at = nested === undefined ? field : `${field}.json_schema`
  return {
    name: text(inner.name) ?? FORMAT_NAME,
    schema: requireObject(inner.schema, `${at}.schema`),
    strict: inner.name === undefined || inner.strict === true,
  }
}

/** A switch of a body; absent and null are off. */
export function flag(body: Json, field: string, prefix = ''): boolean | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  return typeof value === 'boolean' ? value : refuse(prefix + field, `must be true or false; got ${shown(value)}.`)
}

/** A number of a body; absent and null are nothing. JSON has numbers that are not finite, such as 1e999. */
export function number(body: Json, field: string): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse(field, `must be a number; got ${shown(value)}.`)
}

/** A whole number of a body within bounds; absent and null are nothing. */
export function integer(body: Json, field: string, { least, most }: { readonly least: number; readonly most: number }): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number
  return refuse(field, `must be a whole number from ${least} to ${most}; got ${shown(value)}.`)
}

/** Texts of a body; absent and null are nothing. */
export function texts(body: Json, field: string): readonly string[] | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isTexts ? value : refuse(field, 'must be a list of texts.')
}

const MAX_SHOWN = 40
/** A value as an error names it: JSON has no word for the numbers that are not finite. */
function shown(value: unknown): string {
  const said = typeof value === 'number' || value === undefined ? String(value) : JSON.stringify(value)
  return said.length > MAX_SHOWN ? `${said.slice(0, MAX_SHOWN)}…` : said
}

/** Refuses members that have a meaning and no equivalent; null members are nothing, nor are those whose value in `idle` asks for nothing. */
export function refuseOthers(body: Json, known: ReadonlySet<string>, idle: Json = {}): void {
  for (const [name, value] of Object.entries(body)) {
    if (known.has(name) || value === null) continue
    if (!Object.hasOwn(idle, name) || JSON.stringify(value) !== JSON.stringify(idle[name])) untranslatable(name)
  }
}
