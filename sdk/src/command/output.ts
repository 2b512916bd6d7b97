/** How a cell of a table looks on a terminal; elsewhere there is no colour. */
export type OutputTone = 'good' | 'warn' | 'bad' | 'quiet' | 'plain'
/** A cell of a table with a look of its own. */
export interface OutputCell {
  readonly text: string
  readonly tone: OutputTone
}
/** A row of a table: text, or cells. */
export type OutputRow = readonly (string | OutputCell)[]

/** Where a command prints: its answer to one stream, its complaints to the other. */
export interface CommandOutput {
  /** One line of the answer; none is an empty one. */
  line(text?: string): void
  /** The whole answer as JSON. */
  json(value: unknown): void
  /** Aligned columns; the last one runs free. `heads` may be left out. */
  table(rows: readonly OutputRow[], heads?: readonly string[]): void
  /** Beside the answer, for the person. */
  complain(sentence: string): void
}
