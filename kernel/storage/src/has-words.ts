import { badField } from './documents.ts'

/** A split filter: `has` on text fields, which a text index answers, and the rest. */
interface Parted {
  readonly words: readonly { readonly field: string; readonly word: string }[]
  readonly rest: object | undefined
}

/** Conditions `has` on `fields`, at the top of a filter or in its `and`. */
export function partHasWords(fields: readonly string[], where: object | undefined): Parted {
  const words: { field: string; word: string }[] = []
  const rest: [string, unknown][] = []
  for (const [field, entry] of Object.entries(where ?? {})) {
    if (field === 'and') {
      const parts = (entry as readonly object[]).map((part) => partHasWords(fields, part))
      words.push(...parts.flatMap((part) => part.words))
      const left = parts.flatMap((part) => (part.rest ? [part.rest] : []))
      // An empty rest would make a search read each document it scores.
      if (left.length > 0) rest.push(['and', left])
      continue
    }
    const word = fields.includes(field) ? (entry as { readonly has?: unknown } | undefined)?.has : undefined
    if (word === undefined) rest.push([field, entry])
    else if (typeof word !== 'string') throw badField(field, `expected a word; got ${JSON.stringify(word)}`)
    else {
      words.push({ field, word })
      const { has: _, ...others } = entry as Readonly<Record<string, unknown>>
      if (Object.keys(others).length > 0) rest.push([field, others])
    }
  }
  return { words, rest: rest.length === 0 ? undefined : Object.fromEntries(rest) }
}
