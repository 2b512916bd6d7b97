import { git } from '@gateway/plugin-git/api'
import { brainWriteGate } from '../api.ts'
import { sequencer } from '../services/sequencer.ts'

/** Refs for the brains of other tenants: their repositories alone, since the index of a tenant is its own. */
export const foreignUses = { git, sequencer, gates: brainWriteGate }
