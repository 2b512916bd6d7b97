import { atomically, type CallContext, type Resolved } from '@gateway/sdk'
import { chunkKeeper } from '../api.ts'
import { forgotten, origins, records, vectors } from '../collections.ts'
import { config } from '../config.ts'
import { engine } from './engine.ts'
import { patternsRecalled, stored } from './events.ts'

export const memoryUses = { records, vectors, origins, forgotten, atomically, engine, config, stored, patternsRecalled }
export type MemoryUses = Resolved<typeof memoryUses>
export const searchUses = { ...memoryUses, keepers: chunkKeeper }
export type SearchUses = Resolved<typeof searchUses>

export type Call = Pick<CallContext, 'tenantId' | 'signal' | 'now' | 'newId' | 'log' | 'progress' | 'turn'>
