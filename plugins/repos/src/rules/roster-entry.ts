import type { RosterEntry, StoredEntry } from '../schema.ts'
import { remoteKey } from './remote.ts'

/** Returns the fields to store for a given remote. Without a remote it returns none, so that stored values stay. */
export function remoteFields(gitRemote: string | undefined): Pick<StoredEntry, 'gitRemote' | 'remoteKey'> {
  return gitRemote === undefined ? {} : { gitRemote, remoteKey: remoteKey(gitRemote) ?? gitRemote }
}

export function shownEntry({ remoteKey: _key, ...entry }: StoredEntry): RosterEntry {
  return entry
}
