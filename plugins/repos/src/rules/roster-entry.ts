import type { RosterEntry, StoredEntry } from '../schema.ts'
import { remoteKey } from './remote.ts'

/** The fields to store for a remote that is given; none when it is not, so that what is known stays. */
export function remoteFields(gitRemote: string | undefined): Pick<StoredEntry, 'gitRemote' | 'remoteKey'> {
  return gitRemote === undefined ? {} : { gitRemote, remoteKey: remoteKey(gitRemote) ?? gitRemote }
}

/** An entry as it is answered. */
export function shownEntry({ remoteKey: _key, ...entry }: StoredEntry): RosterEntry {
  return entry
}
