import type { Compliance, RosterEntry, StoredEntry } from '../schema.ts'
import type { ManagedRepo } from './managed-entries.ts'

export const HEALTH = ['ok', 'incomplete', 'missing', 'unknown'] as const
export type Health = (typeof HEALTH)[number]

/** Summarizes the flags in one word; `unknown` if the folder was not checked. */
export function healthOf(flags: Compliance | undefined): Health {
  if (!flags) return 'unknown'
  if (!flags.exists) return 'missing'
  return flags.isGitRepo && flags.hasFramework && flags.hasStateAndHandoff ? 'ok' : 'incomplete'
}

export interface KnownRepo extends Partial<Omit<RosterEntry, 'name' | 'createdAt' | 'updatedAt'>> {
  readonly name: string
  readonly enabled: boolean
  readonly managed: boolean
}

/** Merges both lists, by name. If both have a value for a repo, the operator's file wins. */
export function merge(managed: readonly ManagedRepo[], roster: readonly StoredEntry[]): KnownRepo[] {
  const known = new Map<string, KnownRepo>()
  for (const { createdAt: _created, updatedAt: _updated, remoteKey: _key, ...entry } of roster)
    known.set(entry.name, { ...entry, managed: false })
  for (const repo of managed) known.set(repo.name, { enabled: true, ...known.get(repo.name), ...repo, managed: true })
  return [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
