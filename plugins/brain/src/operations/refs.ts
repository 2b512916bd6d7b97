import { git } from '@gateway/plugin-git/api'
import { recallIndex } from '@gateway/plugin-memory/api'
import { atomically, type CallContext, type Resolved } from '@gateway/sdk'
import { brainCommitted, brainMerged, brainWriteGate } from '../api.ts'
import { arms, atoms, branches, code, namespaces, pins, recallDays, recalls, stashes, state } from '../collections.ts'
import { config } from '../config.ts'
import { lanes } from '../services/lanes.ts'

/** The repository and its index: what every operation on a brain may touch. */
export const brainUses = {
  git,
  lanes,
  config,
  atoms,
  /** Where the words and the meaning of atoms are found: see operations/words.ts. */
  index: recallIndex,
  code,
  branches,
  namespaces,
  stashes,
  pins,
  state,
  recalls,
  recallDays,
  arms,
  gates: brainWriteGate,
  committed: brainCommitted,
  merged: brainMerged,
  atomically,
}
export type Refs = Resolved<typeof brainUses>
/** What an operation needs of its call. */
export type Caller = Pick<CallContext, 'tenantId' | 'now' | 'principal'>
