import { atomically, type CallContext, type Resolved } from '@gateway/sdk'
import { chunkKeeper } from '../api.ts'
import { origins, records, vectors } from '../collections.ts'
import { config } from '../config.ts'
import { engine } from './engine.ts'
import { patternsRecalled, stored } from './events.ts'

/** What the operations of this family work with. */
export const memoryUses = { records, vectors, origins, atomically, engine, config, stored, patternsRecalled }
export type MemoryUses = Resolved<typeof memoryUses>
/** The same, and who keeps chunks elsewhere. */
export const searchUses = { ...memoryUses, keepers: chunkKeeper }
export type SearchUses = Resolved<typeof searchUses>

/** The part of a call they need. */
export type Call = Pick<CallContext, 'tenantId' | 'signal' | 'now' | 'newId' | 'log' | 'progress' | 'turn'>
