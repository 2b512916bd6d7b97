import { BadRequest } from '@gateway/sdk'

/** An argument next to the work: its name, and its text. */
export type TextField = readonly [field: string, text: string | undefined]

interface Whole {
  /** For example `the description of the task`. */
  readonly what: string
  /** In characters, as JSON Schema counts them. */
  readonly max: number
}

/**
 * Joins the texts of several arguments. Each may be as long as its schema allows, and all together too long: BAD_REQUEST then
 * names the longest of them, by the name that the caller knows.
 */
export function joinTexts(fields: readonly TextField[], { what, max }: Whole): string | undefined {
  const parts = fields.filter((part): part is readonly [string, string] => part[1] !== undefined)
  const text = parts.map(([, part]) => part).join('\n\n')
  const length = text.length > max ? [...text].length : 0
  if (length > max) {
    const [field] = parts.reduce((longest, part) => (part[1].length > longest[1].length ? part : longest))
    const names = parts.map(([name]) => `\`${name}\``).join(' and ')
    throw BadRequest({ field, message: `${names}, in one text as ${what}, may have at most ${max} characters; got ${length}.` })
  }
  return text === '' ? undefined : text
}
