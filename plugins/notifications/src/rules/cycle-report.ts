interface Cycle {
  readonly dispatched: readonly { readonly title: string; readonly to: string }[]
  readonly reason?: string | undefined
}

/** Text of the report of a dispatch cycle: one line per task. */
export function cycleReport({ dispatched, reason }: Cycle): string {
  const lines = dispatched.map(({ title, to }) => `- ${title} → ${to}`)
  if (reason !== undefined) lines.push(reason)
  return lines.length === 0 ? 'Nothing was to be dispatched.' : lines.join('\n')
}
