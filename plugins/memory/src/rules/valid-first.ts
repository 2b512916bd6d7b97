import type { Hit } from '../api.ts'
import type { Chunk } from '../schema.ts'
import { isValid } from './chunk.ts'

/** Factor of the score of a superseded or expired chunk: it takes the place of valid chunks that fit clearly worse. */
const STALE = 0.9

/**
 * Returns the best `limit` chunks, the valid ones first. A superseded or expired chunk has its place by nine tenths of its score, so
 * that history stays in the answer, and then stands below all valid chunks, with a score that is not above theirs.
 */
export function validFirst<C extends Chunk & Hit>(hits: readonly C[], limit: number): readonly C[] {
  const damped = hits.map((hit) => (isValid(hit) ? hit : { ...hit, score: hit.score * STALE }))
  const best = damped.sort((a, b) => b.score - a.score).slice(0, limit)
  const valid = best.filter(isValid)
  const most = valid.at(-1)?.score ?? Number.POSITIVE_INFINITY
  const stale = best.filter((hit) => !isValid(hit)).map((hit) => ({ ...hit, score: Math.min(hit.score, most) }))
  return [...valid, ...stale]
}
