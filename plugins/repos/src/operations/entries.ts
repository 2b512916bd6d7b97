import { allOf, type Collection } from '@gateway/sdk'
import type { RosterEntry } from '../schema.ts'

const PAGE = 1_000

/** The whole roster, by name. */
export function allEntries(roster: Collection<RosterEntry>): Promise<RosterEntry[]> {
  return allOf(roster, { sort: { name: 1 }, limit: PAGE })
}
