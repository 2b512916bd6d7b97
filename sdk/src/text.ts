/** A pattern for names that stand in one line: without control characters, and more than blanks. */
export const PLAIN_LINE = '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$'

/** What fits of a text: its first `max` characters, less the last where that is half of a surrogate pair, which is no text. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const end = /[\ud800-\udbff]/.test(text[max - 1] as string) ? max - 1 : max
  return text.slice(0, end)
}

/** For finding text in whatever case. At the end of a word a capital sigma becomes another small one than before a letter: here not. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
