import type { Collection } from '@gateway/sdk'
import type { RosterEntry } from './schema.ts'

const PAGE = 1_000

/** The whole roster, by name. */
export async function allEntries(roster: Collection<RosterEntry>): Promise<RosterEntry[]> {
  const entries: RosterEntry[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await roster.find({ sort: { name: 1 }, limit: PAGE, ...(cursor !== undefined && { cursor }) })
    entries.push(...page.items)
    cursor = page.nextCursor
    if (cursor === undefined) return entries
  }
}
