/** Cuts a text to its first `max` characters, without the last one when it is half of a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const end = /[\ud800-\udbff]/.test(text[max - 1] as string) ? max - 1 : max
  return text.slice(0, end)
}

/** A NUL, and a half of a surrogate pair: a store may refuse them, and UTF-8 has no form for the second. */
const BROKEN = /[\0\p{Surrogate}]/gu

/**
 * A JSON value whose texts any store and any reader takes: each NUL and each half of a surrogate pair becomes U+FFFD, in values and in
 * names. A value without either is returned as it is.
 */
export function repairText<T>(value: T): T
export function repairText(value: unknown): unknown {
  if (typeof value === 'string') return value.search(BROKEN) === -1 ? value : value.replaceAll(BROKEN, '\ufffd')
  if (typeof value !== 'object' || value === null) return value
  let changed = false
  const repaired = Object.entries(value).map(([name, item]) => {
    const entry = [Array.isArray(value) ? name : repairText(name), repairText(item)] as const
    changed ||= entry[0] !== name || entry[1] !== item
    return entry
  })
  if (!changed) return value
  return Array.isArray(value) ? repaired.map(([, item]) => item) : Object.fromEntries(repaired)
}

/**
 * Folds case for searching. At the end of a word a capital sigma would become another small letter than elsewhere; here it does
 * not.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
