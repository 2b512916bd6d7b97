/** Bars of one place stand on each other; one of height 0 is not drawn. */
export function stacked(values: readonly (readonly (number | null)[])[]): (number | null)[][] {
  return values.map((line, index) =>
    line.map((value, place) => (value ? values.slice(0, index + 1).reduce((sum, below) => sum + (below[place] ?? 0), 0) : null)),
  )
}

const HALF_DAY_SECONDS = 43_200

/** The range of the axis: bars need room for half of one at both ends, and a single moment is shown within its day. */
export function rangeOf(
  min: number,
  max: number,
  { count, times, bars }: { readonly count: number; readonly times: boolean; readonly bars: boolean },
): [number, number] {
  // The chart library proposes an end of its own for a single point.
  if (count < 2 || max === min) return times ? [min - HALF_DAY_SECONDS, min + HALF_DAY_SECONDS] : [min - 1, min + 1]
  const half = bars ? (max - min) / (count - 1) / 2 : 0
  return [min - half, max + half]
}
