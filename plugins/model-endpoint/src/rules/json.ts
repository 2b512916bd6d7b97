import { BadRequest } from '@gateway/sdk'

export type Json = Readonly<Record<string, unknown>>

export const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
export const number = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

export function refuse(field: string, why: string): never {
  throw BadRequest({ field, message: `\`${field}\` ${why}` })
}
export const untranslatable = (field: string): never =>
  refuse(field, 'cannot be translated for the provider of this model, which speaks the other wire.')

export function requireObject(value: unknown, field: string): Json {
  return object(value) ?? refuse(field, 'must be an object.')
}

/** Refuses members that have a meaning and no equivalent; null and absent members are nothing. */
export function refuseOthers(body: Json, known: ReadonlySet<string>, prefix = ''): void {
  for (const [name, value] of Object.entries(body)) if (!known.has(name) && value !== null) untranslatable(prefix + name)
}
