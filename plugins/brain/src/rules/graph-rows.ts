import type { CommitLine, Oid } from '@gateway/plugin-git/api'
import { defined } from '@gateway/sdk'
import { MAIN } from './names.ts'

/** A commit of the graph of branches. */
export interface GraphRow {
  readonly sha: Oid
  readonly parents: Oid[]
  readonly at: string
  readonly subject: string
  /** True for the commits of main itself, without those that were merged into it. */
  readonly trunk: boolean
  /** The branch whose newest commit it is; of several main, else the first by name. */
  readonly branch?: string
  readonly furtherBranches?: string[]
  /** The commit to compare it with: its first parent, or itself for the oldest one. */
  readonly before: Oid
}

/** The rows of commits, newest first. `tips` are branches by their newest commit, `trunk` is the newest commit of main. */
export function graphRows(
  commits: readonly CommitLine[],
  tips: readonly { readonly branch: string; readonly tip: Oid }[],
  trunk: Oid,
): GraphRow[] {
  const named = new Map<Oid, string[]>()
  for (const { branch, tip } of tips) named.set(tip, [...(named.get(tip) ?? []), branch])
  let expected: Oid | undefined = trunk
  return commits.map(({ sha, parents, at, subject }) => {
    const isTrunk = sha === expected
    if (isTrunk) expected = parents[0]
    const [branch, ...further] = (named.get(sha) ?? []).sort((a, b) => Number(b === MAIN) - Number(a === MAIN) || (a < b ? -1 : 1))
    const own = defined({ branch, furtherBranches: further.length > 0 ? further : undefined })
    return { sha, parents: [...parents], at, subject, trunk: isTrunk, before: parents[0] ?? sha, ...own }
  })
}
