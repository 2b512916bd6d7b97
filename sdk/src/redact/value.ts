/** What stands where a secret was. */
export const REDACTED = '[redacted]'

export const QUOTES = '"\'`'

/** The value that follows: within its quotes, to the end of the line for a header, else to the next blank or mark. */
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
