import { cutText } from '@gateway/sdk'

const MAX_NAME = 500

/** A part of a webhook, whose members are of any type. */
export type Fields = Readonly<Record<string, unknown>>
export const record = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
/** The text, cut to 500 characters; undefined for an empty one and for other types. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? cutText(value, MAX_NAME) : undefined
