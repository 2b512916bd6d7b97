/** A longer block at the beginning of a text is content. */
const MAX_BLOCK = 65_536
const OPEN = /^\ufeff?---[ \t]*\r?\n/
const CLOSE = /^(?:---|\.\.\.)[ \t]*$/
const FULL_LINE = /[^\n]*(?:\n|$)/g

/** A text that begins with a block between two lines of `---`. */
export interface SplitText {
  /** The lines between the two, without carriage returns. */
  readonly block: string
  /** The text below, without the blank line that follows the block. Its line ends are kept. */
  readonly body: string
}

/**
 * Cuts a text into the block at its beginning and the text below. Line ends of Windows, a byte order mark and spaces behind the dashes are
 * accepted. Returns undefined for a text that does not begin with such a block.
 */
export function splitFrontMatter(text: string): SplitText | undefined {
  const start = OPEN.exec(text)?.[0].length
  if (start === undefined) return undefined
  FULL_LINE.lastIndex = start
  for (let at = start; at < text.length && at - start <= MAX_BLOCK; at = FULL_LINE.lastIndex) {
    const line = FULL_LINE.exec(text)?.[0] ?? ''
    if (!CLOSE.test(line.trimEnd())) continue
    const body = text.slice(at + line.length).replace(/^\r?\n/, '')
    return { block: text.slice(start, at).replaceAll('\r\n', '\n'), body }
  }
  return undefined
}
