/**
 * The rows of a page and a flag for more: at most `limit`, and, after the first, no more than `maxBytes` of JSON. It reads just
 * one row further than it keeps.
 */
export class PageRows<Row> {
  readonly rows: Row[] = []
  more = false
  readonly #limit: number
  readonly #maxBytes: number
  #bytes = 0

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit
    this.#maxBytes = maxBytes
  }

  /** False once the page is full: then this row is not in it. */
  add(row: Row, bytes: number): boolean {
    this.#bytes += bytes
    if (this.rows.length === this.#limit || (this.rows.length > 0 && this.#bytes > this.#maxBytes)) this.more = true
    else this.rows.push(row)
    return !this.more
  }
}
