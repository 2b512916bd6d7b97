import type { Page } from './collection/query.ts'
import { Type } from './schema.ts'
import { notBlank } from './text-rule.ts'

/**
 * Size limit of a list, in bytes of JSON. Over MCP an answer is sent twice, as structure and as text with escaped quotes and line
 * ends, so this stays below the gateway's limit of 4 MiB on every transport.
 */
export const LIST_BYTES = 1_048_576

/** Marks a list without a cursor that ended before its `limit`. For the `output` of a tool. */
export const truncated = Type.Optional(
  Type.Boolean({ description: 'True when the list ended early because its rows are large; use a narrower filter to get the rest.' }),
)

/** Returns the member `truncated` for a page that was read with `maxBytes` and ended early because of it, otherwise nothing. */
export function cutShort({ items, nextCursor }: Page<unknown>, limit: number): { readonly truncated?: true } {
  return nextCursor !== undefined && items.length < limit ? { truncated: true } : {}
}

/** Collects list rows that are not read in one page. */
export class ListFill<Row> {
  readonly rows: Row[] = []
  readonly #limit: number
  readonly #maxBytes: number
  #bytes = 0
  #truncated = false

  constructor(limit: number, maxBytes = LIST_BYTES) {
    this.#limit = limit
    this.#maxBytes = maxBytes
  }

  /** True when the list takes no more rows. */
  get isFull(): boolean {
    return this.#truncated || this.rows.length >= this.#limit
  }

  /** Adds the row, unless the list is full or would become too large; the first row is always taken. */
  add(row: Row): void {
    if (this.isFull) return
    this.#bytes += Buffer.byteLength(JSON.stringify(row))
    if (this.rows.length > 0 && this.#bytes > this.#maxBytes) this.#truncated = true
    else this.rows.push(row)
  }

  /** The member `truncated`, if rows were left out because of their size. */
  get cutShort(): { readonly truncated?: true } {
    return this.#truncated ? { truncated: true } : {}
  }
}

/** A row limit for callers: `fallback` by default, and larger values are reduced to `most`. */
export function rowLimit(fallback: number, most: number, what?: string) {
  const description = `${what === undefined ? 'At' : `${what}, at`} most ${most}; more means ${most}.`
  return {
    fallback,
    most,
    /** For the `input` of a tool. */
    argument: Type.Optional(Type.Integer({ minimum: 1, default: fallback, description })),
    of: (asked: number = fallback): number => Math.min(asked, most),
  }
}

/** Arguments of a list that is read page by page; `same` names the arguments that must not change between pages. */
export const pageArguments = ({ argument: limit }: ReturnType<typeof rowLimit>, same = 'the same filters') => ({
  limit,
  cursor: Type.Optional(Type.String({ maxLength: 2_000, rule: notBlank, description: `nextCursor of the previous page, with ${same}.` })),
})

/** Present if there is more. For the `output` of a tool that takes `pageArguments`. */
export const nextCursor = Type.Optional(Type.String())
