/** A record without zeros, empty lists and empty texts, which cost an agent tokens and say nothing. */
export function compact(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== 0 && value !== '' && !(Array.isArray(value) && value.length === 0)),
  )
}
