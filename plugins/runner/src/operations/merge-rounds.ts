/** A round of passes over branches, so that those that have to wait hold up none. */
class Round {
  private looked: ReadonlySet<string> = new Set()

  /** The first branches that this round has not looked at. A round ends with the last one. */
  next(all: readonly string[], max: number): readonly string[] {
    const left = all.filter((branch) => !this.looked.has(branch))
    const next = left.length === 0 ? all : left
    const portion = next.slice(0, max)
    const isLast = portion.length === next.length
    this.looked = new Set(isLast ? [] : [...all.filter((branch) => this.looked.has(branch)), ...portion])
    return portion
  }
}

/** A branch at the remote and its commit there. */
export interface Published {
  readonly branch: string
  readonly commit: string
}

const keyOf = ({ branch, commit }: Published): string => `${commit} ${branch}`

/** Passes of one runner over the branches of a repo. */
export class MergeRounds {
  readonly waiting = new Round()
  readonly merged = new Round()
  private leaving = new Set<string>()

  /** Leaves a branch at the remote as it is until it moves. */
  leave(published: Published): void {
    this.leaving.add(keyOf(published))
  }

  /** Tells which branches at the remote are left, and forgets those that are not among all. */
  left(all: readonly Published[]): (published: Published) => boolean {
    this.leaving = new Set(all.map(keyOf).filter((key) => this.leaving.has(key)))
    return (published) => this.leaving.has(keyOf(published))
  }
}
