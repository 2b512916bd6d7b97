const QUOTE = /['"]/

/**
 * Returns the end of the string that begins at `at` with its quote. In an f-string, a replacement field may contain strings with
 * the same quotes and fields of their own.
 */
export function stringEnd(text: string, at: number, prefix: string): number {
  const quote = text[at] as string
  const triple = text.startsWith(quote.repeat(3), at)
  const end = triple ? quote.repeat(3) : quote
  const [raw, formatted] = [/r/i.test(prefix), /[ft]/i.test(prefix)]
  for (let here = at + end.length; here < text.length; here++) {
    if (text.startsWith(end, here)) return here + end.length
    const char = text[here]
    if (char === '\\' && !(raw && formatted && text[here + 1] === '{')) here++
    else if (char === '\n' && !triple) return here
    else if (formatted && char === '{') here = text[here + 1] === '{' ? here + 1 : fieldEnd(text, here + 1, triple)
  }
  return text.length
}

function fieldEnd(text: string, from: number, triple: boolean): number {
  let depth = 1
  for (let here = from; here < text.length; here++) {
    const char = text[here] as string
    if (QUOTE.test(char)) here = stringEnd(text, here, '') - 1
    else if (char === '\n' && !triple) return here - 1
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return here
  }
  return text.length
}
