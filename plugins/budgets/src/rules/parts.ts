export interface Figures {
  readonly nanos: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const MAX_LISTED_VALUES = 200
const OTHER = '(other)'

const add = (one: Figures, other: Figures): Figures => ({
  nanos: one.nanos + other.nanos,
  calls: one.calls + other.calls,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

export function merge(found: Iterable<readonly [string, Figures]>): ReadonlyMap<string, Figures> {
  const merged = new Map<string, Figures>()
  for (const [value, figures] of found) {
    const known = merged.get(value)
    merged.set(value, known ? add(known, figures) : figures)
  }
  return merged
}

/** The most expensive first; the rest as one, so that the parts still make up the whole. */
export function top(parts: ReadonlyMap<string, Figures>): readonly (readonly [string, Figures])[] {
  const sorted = [...parts].sort(([a, one], [b, other]) => other.nanos - one.nanos || other.calls - one.calls || (a < b ? -1 : 1))
  const rest = sorted.slice(MAX_LISTED_VALUES)
  if (rest.length === 0) return sorted
  return [...sorted.slice(0, MAX_LISTED_VALUES), [OTHER, rest.map(([, figures]) => figures).reduce(add)]]
}
