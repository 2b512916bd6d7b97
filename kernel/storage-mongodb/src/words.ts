import { createHash } from 'node:crypto'
import { type Declaration, type Doc, preparedWords } from '@gateway/storage'

/**
 * Words of a document's text fields, stored beside it:
 *
 *  s the stamp of the declaration under which they were split: a different one means that they have to be split again l their
 * number, which is the length of the document to a ranking w the words, repeated as often as they occur; in prepared text each
 * begins with the number of its field
 */
export interface Words {
  readonly s: string
  readonly l: number
  readonly w: readonly string[]
}

/** Raise it when the words of the same text change. */
const VERSION = 1
/** Keeps a document far below the 16 MB of MongoDB; a text of a megabyte has fewer. Later words are not found. */
const MAX_WORDS = 250_000

type Declared = Pick<Declaration, 'text' | 'weights'>

/** Undefined if a collection has no text to search. */
export function stampOf({ text, weights }: Declared): string | undefined {
  if (text.length === 0) return undefined
  const declared = JSON.stringify([VERSION, weights === undefined ? 'plain' : 'prepared', text])
  return createHash('sha256').update(declared).digest('base64url').slice(0, 6)
}

export function wordsOf({ text, weights }: Declared, stamp: string, doc: Doc): Words {
  const all = text.flatMap((field, i) => {
    const value = searchable(doc[field])
    return weights ? preparedWords(value).map((word) => fieldWord(i, word)) : plainWords(value)
  })
  // The embedded store indexes the tenant of a document as a word of its own beside plain text, and counts it.
  const l = weights ? all.length : all.length + 1
  return { s: stamp, l, w: all.length > MAX_WORDS ? all.slice(0, MAX_WORDS) : all }
}

export const fieldWord = (field: number, word: string): string => `${field}:${word}`

/**
 * The words of plain text, as the tokenizer `unicode61 remove_diacritics 2` of the embedded store splits it: runs of letters and
 * digits in lower case, Latin letters without their diacritics.
 */
export function plainWords(text: string): readonly string[] {
  const bare = text
    .normalize('NFD')
    .replaceAll(/([A-Za-z])\p{M}+/gu, '$1')
    .normalize('NFC')
  return bare.toLowerCase().match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
}

/** Words are found in strings and in lists of strings. */
function searchable(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string').join('\n') : ''
}
