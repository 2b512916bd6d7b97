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

/** A deletion that failed is tried again after a minute, and after twice as long each further time. */
const FIRST_PAUSE_MS = 60_000
/** The last try is about two hours after the first one. */
const MAX_TRIES = 8

interface Failed {
  readonly tries: number
  readonly again: number
}

/** Passes of one runner over the branches of a repo. */
export class MergeRounds {
  readonly waiting = new Round()
  readonly merged = new Round()
  private leaving = new Set<string>()
  private failures = new Map<string, Failed>()
  private readonly now: () => number
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Leaves a branch at the remote as it is until it moves. */
  leave(published: Published): void {
    this.leaving.add(keyOf(published))
  }

  /** Notes that a branch could not be deleted for now. Returns the number of its tries; after the last one it is left. */
  failed(published: Published): { readonly tries: number; readonly isLast: boolean } {
    const key = keyOf(published)
    const tries = (this.failures.get(key)?.tries ?? 0) + 1
    const isLast = tries >= MAX_TRIES
    if (isLast) this.leave(published)
    else this.failures.set(key, { tries, again: this.now() + FIRST_PAUSE_MS * 2 ** (tries - 1) })
    return { tries, isLast }
  }

  /** Tells which branches at the remote are left for now, and forgets those that are not among all. */
  left(all: readonly Published[]): (published: Published) => boolean {
    const keys = new Set(all.map(keyOf))
    this.leaving = new Set([...this.leaving].filter((key) => keys.has(key)))
    this.failures = new Map([...this.failures].filter(([key]) => keys.has(key)))
    return (published) => {
      const key = keyOf(published)
      return this.leaving.has(key) || (this.failures.get(key)?.again ?? Number.NEGATIVE_INFINITY) > this.now()
    }
  }
}
