const TAB = 9
const LINE_FEED = 10
const RETURN = 13
const SPACE = 32
const TAB_WIDTH = 4

export const isSpace = (code: number): boolean => code === SPACE || code === TAB
const isLineBreak = (code: number): boolean => code === LINE_FEED || code === RETURN

/** A cursor over the lines of a document. It knows how far the quotes and list items of a line have been read. Lines end with LF, CR LF or CR. */
export class Line {
  readonly text: string
  start = 0
  /** The offset of the line break. */
  end = 0
  /** The offset of the next line. */
  next = 0
  /** The first character that is neither space nor tab. */
  at = 0
  /** The column of that character, counted from where the innermost quote begins. */
  column = 0
  /** The columns before the innermost quote, from which tab stops are counted too. */
  #base = 0
  #mark = 0
  #other = -1

  constructor(text: string) {
    this.text = text
  }

  get isBlank(): boolean {
    return this.at >= this.end
  }

  /** The code of a character, or -1 behind the end of the line. */
  code(at = this.at): number {
    return at < this.end ? this.text.charCodeAt(at) : -1
  }

  /** Moves to the line that begins at an offset; false behind the last one. */
  goTo(start: number): boolean {
    const { text } = this
    if (start >= text.length) return false
    let end = start
    while (end < text.length && !isLineBreak(text.charCodeAt(end))) end++
    this.start = start
    this.end = end
    this.next = end + (text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === LINE_FEED ? 2 : 1)
    this.#base = 0
    this.#other = -1
    this.#skipSpaces(start, 0, 0)
    return true
  }

  /**
   * Counts a mark when the rest of the line has nothing but this mark and spaces; otherwise 0. The offset of another character is
   * remembered, because a line with many list markers asks at each of them.
   */
  onlyMarks(mark: number): number {
    if (this.#mark === mark && this.#other >= this.at) return 0
    let marks = 0
    for (let { at } = this; at < this.end; at++) {
      const code = this.text.charCodeAt(at)
      if (code === mark) marks++
      else if (!isSpace(code)) {
        this.#mark = mark
        this.#other = at
        return 0
      }
    }
    return marks
  }

  /** Moves behind a `>` and the space that may follow it. */
  enterQuote(): void {
    const after = this.at + 1
    const column = this.column + 1
    const code = this.code(after)
    // A tab that is one column wide is that space. Of a wider tab the remaining columns are kept.
    const isNarrow = code === SPACE || (code === TAB && (this.#base + column) % TAB_WIDTH === TAB_WIDTH - 1)
    const from = isNarrow ? column + 1 : column
    const shift = code === TAB && !isNarrow ? 1 : 0
    this.#skipSpaces(isNarrow ? after + 1 : after, from, this.#base + shift)
    this.#base = column + (isSpace(code) ? 1 : 0)
    this.column -= from
  }

  /** Moves to the text behind a list marker; returns the column where the content of the item begins. */
  enterItem(markerEnd: number): number {
    const from = this.column + markerEnd - this.at
    this.#skipSpaces(markerEnd, from, this.#base)
    const spaces = this.column - from
    return from + (this.isBlank || spaces > TAB_WIDTH ? 1 : spaces)
  }

  #skipSpaces(from: number, column: number, base: number): void {
    let at = from
    let reached = column
    for (; at < this.end; at++) {
      const code = this.text.charCodeAt(at)
      if (code === SPACE) reached++
      else if (code === TAB) reached += TAB_WIDTH - ((reached + base) % TAB_WIDTH)
      else break
    }
    this.at = at
    this.column = reached
  }
}

/** True when a line has nothing but spaces from an offset on. */
export function isBlankFrom(line: Line, from: number): boolean {
  let at = from
  while (isSpace(line.code(at))) at++
  return at >= line.end
}
