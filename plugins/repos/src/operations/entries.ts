import type { Collection, Sort } from '@gateway/sdk'
import type { RosterEntry } from '../schema.ts'

const PAGE = 1_000

/** The whole roster, by name. */
export function allEntries(roster: Collection<RosterEntry>): Promise<RosterEntry[]> {
  return allOf(roster, { name: 1 })
}

/** All there is, page by page. */
export async function allOf<Doc>(collection: Collection<Doc>, sort: Sort<Doc>): Promise<Doc[]> {
  const all: Doc[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await collection.find({ sort, limit: PAGE, ...(cursor !== undefined && { cursor }) })
    all.push(...page.items)
    cursor = page.nextCursor
    if (cursor === undefined) return all
  }
}
