const MAX_LENGTH = 50_000

/**
 * `notes` with a further line. What grows by itself is bounded: of notes that are too long the oldest part goes, and with
 * it the other half of a surrogate pair that was cut through.
 */
export function withNote(notes: string | undefined, line: string): string {
  const joined = notes ? `${notes}\n${line}` : line
  return joined.length > MAX_LENGTH ? joined.slice(-MAX_LENGTH).replace(/^[\udc00-\udfff]/, '') : joined
}

/** What a cancelled task is annotated with. */
export function cancellationNote(reason: string | undefined, supersededBy: string | undefined): string {
  return `Cancelled${supersededBy ? `, superseded by ${supersededBy}` : ''}${reason ? `: ${reason}` : '.'}`
}
