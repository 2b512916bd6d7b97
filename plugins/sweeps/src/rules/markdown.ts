const LONGEST_LINE = 140

/** A foreign text as part of one line: without markup of its own, and bounded. */
export function inline(text: string, longest = LONGEST_LINE): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const cut = flat.length > longest ? `${flat.slice(0, longest - 1).trimEnd()}…` : flat
  return cut.replaceAll(/[\\`*_[\]<>|#]/g, '\\$&')
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Parts of a report with a blank line between them; empty ones are left out. */
export const report = (...parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`
