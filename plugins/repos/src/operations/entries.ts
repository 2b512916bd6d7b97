import { allOf, type Collection } from '@gateway/sdk'
import type { StoredEntry } from '../schema.ts'

const PAGE = 1_000

export function allEntries(roster: Collection<StoredEntry>): Promise<StoredEntry[]> {
  return allOf(roster, { sort: { name: 1 }, limit: PAGE })
}
