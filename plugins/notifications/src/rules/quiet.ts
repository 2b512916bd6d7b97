interface Hours {
  readonly from: string
  readonly to: string
  /** IANA name; UTC if absent. */
  readonly timeZone?: string
}

/**
 * Returns a function that is true within the hours on the clock of their time zone, summer time included. They may span midnight; equal
 * times mean never. Throws a RangeError for an unknown time zone.
 */
export function quietTimes(hours: Hours | undefined): (at: Date) => boolean {
  if (!hours || hours.from === hours.to) return () => false
  const { from, to, timeZone = 'UTC' } = hours
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return (at) => {
    const time = clock.format(at)
    return from < to ? time >= from && time < to : time >= from || time < to
  }
}
