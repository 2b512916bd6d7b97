import { git } from '@gateway/plugin-git/api'
import { recallIndex } from '@gateway/plugin-memory/api'
import { repoResolver } from '@gateway/plugin-repos/api'
import { atomically, type CallContext, optional, type Resolved, resourceUpdated } from '@gateway/sdk'
import { brainMerged, brainWriteGate } from '../api.ts'
import { arms, atoms, branches, code, currents, forgotten, namespaces, pins, recallDays, recalls, stashes, state } from '../collections.ts'
import { config } from '../config.ts'
import { sequencer } from '../services/sequencer.ts'

export const brainUses = {
  git,
  sequencer,
  config,
  atoms,
  /** Index of the words and the meaning of atoms: see operations/words.ts. */
  index: recallIndex,
  code,
  branches,
  namespaces,
  stashes,
  forgotten,
  pins,
  state,
  currents,
  recalls,
  recallDays,
  arms,
  gates: brainWriteGate,
  merged: brainMerged,
  updated: resourceUpdated,
  atomically,
  resolver: optional(repoResolver),
}
export type Refs = Resolved<typeof brainUses>
export type Caller = Pick<CallContext, 'tenantId' | 'now' | 'principal' | 'client'>
