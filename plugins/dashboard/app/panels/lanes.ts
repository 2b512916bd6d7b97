/** A commit with the keys of its parents; `trunk` for the main line. */
export interface Commit {
  readonly key: string
  readonly parents: readonly string[]
  readonly trunk?: boolean
}
/** A line from a lane at the upper end of a part of a row to a lane at its lower end. */
export type Line = readonly [from: number, to: number]
/** A row of the drawing: its upper half ends, and its lower half begins, at the commit. */
export interface LaneRow {
  readonly lane: number
  readonly upper: readonly Line[]
  readonly lower: readonly Line[]
  /** Lanes that pass the commit by. */
  readonly passing: readonly number[]
  /** True if a parent is older than the commits that are shown. */
  readonly continuesBelow: boolean
}

/** Lays out commits, newest first: a lane belongs to one line of commits until it meets another. The trunk has the first one. */
export function lanesOf(commits: readonly Commit[]): readonly LaneRow[] {
  const order = new Map(commits.map(({ key }, index) => [key, index]))
  const trunk = commits.find((commit) => commit.trunk)?.key
  /** The commit that each lane leads to. */
  const lanes: (string | undefined)[] = trunk === undefined ? [] : [trunk]
  let isTrunkDrawn = false
  const free = (): number => {
    const index = lanes.indexOf(undefined)
    return index < 0 ? lanes.length : index
  }
  return commits.map(({ key, parents }, index) => {
    const known = lanes.indexOf(key)
    const lane = known < 0 ? free() : known
    // The first lane is reserved for the trunk: above its newest commit it is empty, unless a merge of that commit leads to it.
    const drawn = lanes.map((wanted, at) => (at === 0 && wanted === trunk && !isTrunkDrawn ? undefined : wanted))
    const upper = drawn.flatMap((wanted, from): Line[] => (wanted === key ? [[from, lane]] : []))
    const passing = drawn.flatMap((wanted, from) => (wanted !== undefined && wanted !== key ? [from] : []))
    for (const [from, wanted] of lanes.entries()) if (wanted === key) lanes[from] = undefined
    const shown = parents.filter((parent) => (order.get(parent) ?? -1) > index)
    const lower = shown.map((parent, nth): Line => {
      const joined = nth === 0 ? -1 : lanes.indexOf(parent)
      const to = joined >= 0 ? joined : nth === 0 ? lane : free()
      lanes[to] = parent
      if (to === 0) isTrunkDrawn = true
      return [lane, to]
    })
    return { lane, upper, lower, passing, continuesBelow: shown.length < parents.length }
  })
}
