/** Replacement of a secret. */
export const REDACTED = '[redacted]'

export const QUOTES = '"\'`'

/**
 * Returns the value that follows: within its quotes, to the end of the line for a header, otherwise to the next blank or mark.
 */
export function valueAfter(text: string, at: number, isHeader: boolean, opened: string): { readonly start: number; readonly end: number } {
  let start = at
  while (text[start] === ' ' || text[start] === '\t' || text[start] === '=' || text[start] === '>') start++
  while (text[start] === '\\') start++
  const quote = text[start] ?? ''
  if (quote !== '' && QUOTES.includes(quote)) {
    let end = start + 1
    const isEscaped = text[start - 1] === '\\'
    while (end < text.length && text[end] !== quote) end += text[end] === '\\' && !isEscaped ? 2 : 1
    if (isEscaped && text[end - 1] === '\\') end--
    return { start: start + 1, end: Math.min(end, text.length) }
  }
  if (text.startsWith(REDACTED, start) && !isHeader) return { start, end: start }
  let end = start
  const stop = isHeader ? (opened === '' ? '\r\n' : `\r\n${opened}`) : ` \t\r\n,;&${QUOTES}<>{}()[]|`
  while (end < text.length && !stop.includes(text[end] as string)) end++
  return { start, end }
}

/** Words that continue a sentence behind a colon, and that nobody takes for a password. */
const CONTINUES = new Set(
  'a all an and any are as at be both but by can each every for from has have he how if in is it its many may more most no none not of on one only or she so some such that the their there these they this those to two under we what when where which while who why with without you'.split(
    ' ',
  ),
)

/** Tells whether a sentence continues after the colon, as in `their secrets: those of tenants`. */
export function isProse(text: string, after: number, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const isApart = start > after && (text[after] === ' ' || text[after] === '\t')
  return isApart && CONTINUES.has(text.slice(start, end)) && /^ [A-Za-z`'"]/.test(text.slice(end, end + 2))
}
