import { defineService } from '@gateway/sdk'
import type { ModelState } from '../api.ts'
import type { LoadedVectors } from './loaded-vectors.ts'

/** What the process keeps for all calls: the vectors that are in use, who embeds, and the way to the model. */
export interface Engine {
  readonly loaded: LoadedVectors
  /** Tenants whose queue is being worked off here, and whether more came since it was looked at. */
  readonly embedding: Map<string, { more: boolean }>
  /** Tells whether vectors can be made now, and otherwise by `hint` what would change that. */
  able(): { readonly able: boolean; readonly model: ModelState; readonly hint?: string }
  /** Of which model the vectors are that are made now. */
  model(): string
  /** Of a query; undefined when the model does not answer in time. */
  queryVector(text: string, signal: AbortSignal): Promise<Int8Array | undefined>
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Int8Array[]>
}
export const engine = defineService<Engine>('memory.engine', 'process')
