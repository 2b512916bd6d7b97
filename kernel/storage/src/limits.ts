import { badField } from './documents.ts'

const MAX_IDS = 1_000

/** Collections of tenants for which objects are kept; making one again costs a microsecond. */
export const MAX_COLLECTIONS = 20_000

/** Page sizes: `find` and `search` bound the memory of one answer. */
export function checkLimit(limit: unknown, fallback: number, max: number): number {
  if (limit === undefined) return fallback
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > max)
    throw badField('limit', `expected an integer from 1 to ${max}; got ${JSON.stringify(limit)}`)
  return limit as number
}

export function checkBytes(maxBytes: unknown): number {
  if (maxBytes === undefined) return Number.POSITIVE_INFINITY
  if (!Number.isInteger(maxBytes) || (maxBytes as number) < 1)
    throw badField('maxBytes', `expected an integer from 1; got ${JSON.stringify(maxBytes)}`)
  return maxBytes as number
}

export function checkIds(ids: readonly string[]): readonly string[] {
  if (ids.length > MAX_IDS) throw badField('ids', `expected at most ${MAX_IDS} ids; got ${ids.length}`)
  return ids
}

/** Bounded, because one step must not block the others for long. */
export function checkDocuments<T>(docs: readonly T[]): readonly T[] {
  if (docs.length > MAX_IDS) throw badField('docs', `expected at most ${MAX_IDS} documents; got ${docs.length}`)
  return docs
}
