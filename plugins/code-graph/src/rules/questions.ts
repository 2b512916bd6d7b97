import type { Dependents } from './dependents.ts'
import type { EdgeType } from './graph.ts'
import type { Impact } from './impact.ts'
import type { Direction, Neighbor } from './neighbors.ts'
import type { Level } from './risk.ts'

export interface Pr {
  readonly id: string
  readonly files: readonly string[]
}
export type Question =
  | { readonly kind: 'impact'; readonly files: readonly string[]; readonly maxDepth: number }
  | { readonly kind: 'triage'; readonly prs: readonly Pr[]; readonly maxDepth: number }
  | { readonly kind: 'neighbors'; readonly node: string; readonly direction: Direction; readonly types: readonly EdgeType[] }
  | { readonly kind: 'dependents'; readonly node: string; readonly maxDistance: number; readonly most: number }
  | { readonly kind: 'path'; readonly src: string; readonly dst: string; readonly types: readonly EdgeType[] }

export interface Triaged {
  readonly id: string
  readonly risk: number
  readonly level: Level
  readonly changedFiles: number
  readonly affectedFiles: number
  readonly callers: number
  readonly affectedTests: number
  readonly untestedFiles: string[]
  readonly unknownFiles: string[]
  /** Other pull requests of the list that change the same files. */
  readonly sharesFilesWith: string[]
}
interface Counts {
  readonly affectedFiles: number
  readonly callers: number
  readonly affectedTests: number
}

/** The answer to each kind of question; lists are cut, counts are of all. */
export interface Answers {
  readonly impact: Impact & { readonly counts: Counts; readonly truncated: boolean }
  readonly triage: { readonly prs: Triaged[] }
  readonly neighbors: {
    readonly nodes: string[]
    readonly neighbors: Neighbor[]
    readonly count: number
    readonly truncated: boolean
  }
  readonly dependents: Dependents
  /** `unknown`: the end of the path that is not in the graph. */
  readonly path: { readonly path: string[] | null } | { readonly unknown: 'src' | 'dst' }
}
export type AnswerTo<Q extends Question> = Answers[Q['kind']]
