/** Hours of the day in UTC, `until` not included. 22 to 6 spans midnight. */
export interface Hours {
  readonly from: number
  readonly until: number
}

export function inHours(at: Date, { from, until }: Hours): boolean {
  const hour = at.getUTCHours()
  return from < until ? hour >= from && hour < until : hour >= from || hour < until
}

/** Returns the next start of the hours, for a time outside of them. */
export function nextOpening(at: Date, { from }: Hours): Date {
  const today = new Date(at)
  today.setUTCHours(from, 0, 0, 0)
  if (today <= at) today.setUTCDate(today.getUTCDate() + 1)
  return today
}
