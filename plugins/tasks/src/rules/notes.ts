const MAX_LENGTH = 50_000

/**
 * Appends a line to `notes`. Growth is bounded: of notes that are too long the oldest part is dropped, including the rest of a
 * split surrogate pair.
 */
export function withNote(notes: string | undefined, line: string): string {
  const joined = notes ? `${notes}\n${line}` : line
  return joined.length > MAX_LENGTH ? joined.slice(-MAX_LENGTH).replace(/^[\udc00-\udfff]/, '') : joined
}

export function cancellationNote(reason: string | undefined, supersededBy: string | undefined): string {
  return `Cancelled${supersededBy ? `, superseded by ${supersededBy}` : ''}${reason ? `: ${reason}` : '.'}`
}
