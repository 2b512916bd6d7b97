import type { Line } from './line.ts'
import { isInterruption, isQuote, type Lists } from './starts.ts'

/** Lines that are indented this far are code and do not end a paragraph. */
const CODE_INDENT = 4

/** The open quotes and list items, and the ones among them that a line is in. */
export class Containers {
  /** The columns where the content of list items begins: one array outside of all quotes, then one for each quote. */
  readonly #levels: number[][] = [[]]
  #quotes = 0
  #items = 0

  get isEmpty(): boolean {
    return this.#levels.length === 1 && this.#innermost().length === 0
  }

  #innermost(level = this.#levels.length - 1): number[] {
    return this.#levels[level] as number[]
  }

  /** Reads the marks and the indent by which a line belongs to the open containers; true when it is in all of them. */
  follow(line: Line): boolean {
    this.#quotes = 0
    for (;;) {
      const items = this.#innermost(this.#quotes)
      this.#items = line.isBlank ? items.length : countBelow(items, line.column)
      const isLast = this.#quotes === this.#levels.length - 1
      if (this.#items < items.length) return false
      if (isLast || !isQuote(line)) return isLast
      line.enterQuote()
      this.#quotes++
    }
  }

  /** Closes the containers that the last line followed is not in. */
  close(): void {
    // Removing one by one is faster than setting a new length.
    while (this.#levels.length > this.#quotes + 1) this.#levels.pop()
    const items = this.#innermost()
    while (items.length > this.#items) items.pop()
  }

  closeItem(): void {
    this.#innermost().pop()
  }

  isCode(line: Line): boolean {
    return line.column - (this.#innermost().at(-1) ?? 0) >= CODE_INDENT
  }

  enterQuote(line: Line): void {
    line.enterQuote()
    this.#levels.push([])
  }

  enterItem(line: Line, markerEnd: number): void {
    this.#innermost().push(line.enterItem(markerEnd))
  }

  /** True when an open paragraph continues in the last line followed, which may lack the marks of its containers. */
  continuesText(line: Line, isWhole: boolean, lists: Lists): boolean {
    if (isWhole) return this.isCode(line) || !isInterruption(line, lists)
    const items = this.#innermost(this.#quotes)
    const outer = items.at(-2) ?? 0
    const inner = items.at(-1) ?? 0
    const isBetween = line.column - outer >= CODE_INDENT && line.column < inner
    if (line.column - inner < CODE_INDENT && isInterruption(line, isBetween ? 'none' : 'all')) return false
    // A quote within a quote ends before a line that begins a block, however far that line is indented.
    return this.#levels.length - this.#quotes < 3 || !isInterruption(line, 'all')
  }
}

function countBelow(columns: readonly number[], column: number): number {
  let count = 0
  while (count < columns.length && (columns[count] as number) <= column) count++
  return count
}
