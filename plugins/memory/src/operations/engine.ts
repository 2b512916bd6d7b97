import { defineService } from '@gateway/sdk'
import type { ModelState } from '../api.ts'
import type { LoadedVectors } from './loaded-vectors.ts'

/** State that the process keeps for all calls: vectors in use, running embedders, and access to the model. */
export interface Engine {
  readonly loaded: LoadedVectors
  /** Tenants whose queue is being processed here; `more` is set if chunks came since it was read. */
  readonly embedding: Map<string, { more: boolean }>
  /** Time of the last look for changed files, by tenant. */
  readonly followed: { get(tenantId: string): number | undefined; set(tenantId: string, at: number): unknown }
  /** Tells whether vectors can be made now, and otherwise by `hint` what would change that. */
  able(): { readonly able: boolean; readonly model: ModelState; readonly hint?: string }
  /** Name of the model that makes vectors now. */
  model(): string
  /** Vector of a query; undefined when the model does not answer in time. */
  queryVector(text: string, signal: AbortSignal): Promise<Int8Array | undefined>
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Int8Array[]>
}
export const engine = defineService<Engine>('memory.engine', 'process')
