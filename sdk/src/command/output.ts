/** Appearance of a table cell on a terminal; elsewhere there is no colour. */
export type OutputTone = 'good' | 'warn' | 'bad' | 'quiet' | 'plain'
/** A table cell with its own appearance. */
export interface OutputCell {
  readonly text: string
  readonly tone: OutputTone
}
/** A row of a table: texts or cells. */
export type OutputRow = readonly (string | OutputCell)[]

/** Output of a command: answers go to one stream, errors to the other. */
export interface CommandOutput {
  /** Prints one line of the answer; without text an empty line. */
  line(text?: string): void
  /** Prints the whole answer as JSON. */
  json(value: unknown): void
  /** Prints aligned columns; the last one has free width. `heads` is optional. */
  table(rows: readonly OutputRow[], heads?: readonly string[]): void
  /** Prints a sentence for the person, next to the answer. */
  complain(sentence: string): void
}
