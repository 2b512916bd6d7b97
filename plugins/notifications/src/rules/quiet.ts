interface Hours {
  readonly from: string
  readonly to: string
}

/** True within the hours, which may span midnight; equal times mean never. */
export function isQuiet(hours: Hours | undefined, at: Date): boolean {
  if (!hours || hours.from === hours.to) return false
  const { from, to } = hours
  const time = at.toISOString().slice(11, 16)
  return from < to ? time >= from && time < to : time >= from || time < to
}
