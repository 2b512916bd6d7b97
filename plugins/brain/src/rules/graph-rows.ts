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
  return childrenFirst(commits).map(({ sha, parents, at, subject }) => {
    const isTrunk = sha === expected
    if (isTrunk) expected = parents[0]
    const [branch, ...further] = (named.get(sha) ?? []).sort((a, b) => Number(b === MAIN) - Number(a === MAIN) || (a < b ? -1 : 1))
    const own = defined({ branch, furtherBranches: further.length > 0 ? further : undefined })
    return { sha, parents: [...parents], at, subject, trunk: isTrunk, before: parents[0] ?? sha, ...own }
  })
}

/** Git orders commits by their time, which several made within a second share: a parent is moved behind all of its children. */
function childrenFirst(commits: readonly CommitLine[]): readonly CommitLine[] {
  const waiting = new Map(commits.map(({ sha }) => [sha, 0]))
  for (const parent of commits.flatMap(({ parents }) => parents)) {
    const children = waiting.get(parent)
    if (children !== undefined) waiting.set(parent, children + 1)
  }
  const rest = [...commits]
  const ordered: CommitLine[] = []
  while (rest.length > 0) {
    const next = rest.findIndex(({ sha }) => waiting.get(sha) === 0)
    const [commit] = rest.splice(Math.max(next, 0), 1) as [CommitLine]
    ordered.push(commit)
    for (const parent of commit.parents) waiting.set(parent, (waiting.get(parent) ?? 0) - 1)
  }
  return ordered
}
