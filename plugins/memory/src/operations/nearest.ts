import { setTimeout as after } from 'node:timers/promises'
import { pages } from '@gateway/sdk'
import type { Found } from '../api.ts'
import { unpackVectors } from '../rules/quantize.ts'
import { isReadable } from '../rules/readable.ts'
import type { TenantVectors, VectorFilter } from '../rules/tenant-vectors.ts'
import type { Loaded } from './loaded-vectors.ts'
import { requeue } from './other-models.ts'
import type { Call, MemoryUses } from './uses.ts'

const PAGE = 1_000
/** Maximum age of vectors from other nodes; vectors from this node are visible at once. */
const READ_AGAIN_MS = 2_000
/** Writes of other nodes may be committed a little later than their time says. */
const OVERLAP_MS = 10_000
/** The first search of a large tenant answers by words instead of waiting longer. */
const READ_LIMIT_MS = 2_000

export interface Near {
  readonly nearest: ReadonlyMap<string, number>
  /** Cosines of other records that have vectors. */
  of(ids: readonly string[]): ReadonlyMap<string, number>
  /** The nearest others. The given records were removed, by another node, and leave the memory of this one. */
  without(ids: readonly string[]): Promise<Near>
}

export type Lacking = Required<Pick<Found<never>, 'model'>> & Pick<Found<never>, 'hint'>

const STARTING: Lacking = { model: 'loading', hint: 'The model is starting; later searches use meaning too.' }
const READING: Lacking = { model: 'loading', hint: 'The vectors are being loaded; later searches use meaning too.' }
const NO_VECTORS: Lacking = { model: 'ready', hint: 'No text has vectors yet; they are computed in the background.' }
const UNREADABLE: Lacking = { model: 'ready', hint: 'The model does not know this script; a multilingual model would.' }
const TOO_MANY: Lacking = { model: 'ready', hint: 'The vectors need more memory than plugins.memory.vectorsMaxMegabytes allows.' }

/** Returns the records with vectors nearest to the query, or the reason why no vectors can take part now. */
export async function nearest(query: string, filter: VectorFilter, max: number, uses: MemoryUses, call: Call): Promise<Near | Lacking> {
  const { engine } = uses
  const { able, ...lacking } = engine.able()
  if (!able) return lacking
  if (!isReadable(query, engine.model())) return UNREADABLE
  if (engine.loaded.refuses(call.tenantId)) return TOO_MANY
  const loaded = engine.loaded.open(call.tenantId)
  const [vector, isRead] = await Promise.all([engine.queryVector(query, call.signal), readInTime(loaded, uses, call)])
  const { vectors } = loaded
  if (!vector) return STARTING
  if (!isRead) return READING
  if (vectors.size === 0) return engine.loaded.refuses(call.tenantId) ? TOO_MANY : NO_VECTORS
  return near(vectors, vector, filter, max)
}

async function near(vectors: TenantVectors, query: Int8Array, filter: VectorFilter, max: number): Promise<Near> {
  return {
    nearest: await vectors.nearest(query, filter, max),
    of: (ids) => vectors.cosines(query, ids),
    without(ids) {
      for (const id of ids) vectors.delete(id)
      return near(vectors, query, filter, max)
    },
  }
}

async function readInTime(loaded: Loaded, uses: MemoryUses, call: Call): Promise<boolean> {
  if (performance.now() - loaded.readAt < READ_AGAIN_MS) return true
  loaded.reading ??= read(loaded, uses, call).finally(() => (loaded.reading = undefined))
  const limit = new AbortController()
  try {
    // Additions of other nodes are not a reason to wait; vectors that were never read are.
    return await Promise.race([loaded.reading.then(() => true), after(READ_LIMIT_MS, loaded.readUntil !== '', { signal: limit.signal })])
  } finally {
    limit.abort()
  }
}

async function read(loaded: Loaded, uses: MemoryUses, call: Call): Promise<void> {
  const { vectors, engine } = uses
  const { tenantId, log } = call
  const model = engine.model()
  const ofOthers: string[] = []
  const begun = performance.now()
  const from = loaded.readUntil === '' ? '' : new Date(Date.parse(loaded.readUntil) - OVERLAP_MS).toISOString()
  for await (const entries of pages(vectors, { where: { at: { gte: from } }, sort: { at: 1 }, limit: PAGE })) {
    for (const entry of entries) {
      if (entry.model === model) loaded.vectors.set(entry, unpackVectors(entry.vectors))
      else ofOthers.push(entry.id)
      if (entry.at > loaded.readUntil) loaded.readUntil = entry.at
    }
    if (!engine.loaded.fits(tenantId)) {
      log.warn('The vectors of this tenant are more than `vectorsMaxMegabytes`: it is searched by words')
      engine.loaded.refuse(tenantId)
      return
    }
  }
  loaded.readAt = begun
  if (ofOthers.length > 0) await requeue(ofOthers, uses, call)
}
