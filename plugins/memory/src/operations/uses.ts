import { atomically, type CallContext, type Resolved } from '@gateway/sdk'
import { origins, records, vectors } from '../collections.ts'
import { config } from '../config.ts'
import { engine } from './engine.ts'
import { patternsRecalled, stored } from './events.ts'

/** What the operations of this family work with. */
export const memoryUses = { records, vectors, origins, atomically, engine, config, stored, patternsRecalled }
export type MemoryUses = Resolved<typeof memoryUses>

/** The part of a call they need. */
export type Call = Pick<CallContext, 'tenantId' | 'signal' | 'now' | 'newId' | 'log' | 'progress' | 'turn'>
