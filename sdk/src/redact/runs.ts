/**
 * Replaces each run of at least `least` characters of keys and tokens: letters, digits, and `_ . + / = -`. Every text is
 * searched and few contain any, so the search looks at every `least`th character, and closer only where that character fits.
 */
export function replaceRuns(text: string, least: number, replace: (run: string) => string): string {
  let result = ''
  let copied = 0
  /** Text before this index is in no run that counts. */
  let start = 0
  let at = least - 1
  while (at < text.length) {
    if (!isOfRun(text.charCodeAt(at))) {
      start = at + 1
      at += least
      continue
    }
    let first = at
    while (first > start && isOfRun(text.charCodeAt(first - 1))) first--
    let end = at + 1
    while (isOfRun(text.charCodeAt(end))) end++
    if (end - first >= least) {
      const run = text.slice(first, end)
      const replaced = replace(run)
      if (replaced !== run) {
        result += text.slice(copied, first) + replaced
        copied = end
      }
    }
    start = end
    at = end + least - 1
  }
  return copied === 0 ? text : result + text.slice(copied)
}

const OF_RUN = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.+/=-]/.test(String.fromCharCode(code)) ? 1 : 0))

/** False beyond the table and beyond the end of the text. */
function isOfRun(code: number): boolean {
  return OF_RUN[code] === 1
}
