/** Returns the greeting for an hour of the day (0 to 23, UTC). */
export function phrase(name: string, hour: number, word: string | undefined): string {
  return `${word ?? `Good ${partOfDay(hour)}`}, ${name}!`
}

function partOfDay(hour: number): string {
  if (hour < 12) return 'morning'
  return hour < 18 ? 'afternoon' : 'evening'
}
