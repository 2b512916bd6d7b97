import { BadRequest } from '@gateway/sdk'

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

/** A number of a body; absent and null are nothing. JSON has numbers that are no finite ones, such as 1e999. */
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
  const said = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return said.length > MAX_SHOWN ? `${said.slice(0, MAX_SHOWN)}…` : said
}

/** Refuses members that have a meaning and no equivalent; null and absent members are nothing. */
export function refuseOthers(body: Json, known: ReadonlySet<string>, prefix = ''): void {
  for (const [name, value] of Object.entries(body)) if (!known.has(name) && value !== null) untranslatable(prefix + name)
}
