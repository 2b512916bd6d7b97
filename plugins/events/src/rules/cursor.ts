import { badCursor } from '../errors.ts'

const PLACE = /^(?:0|[1-9]\d{0,14})$/

/** The place that a cursor names. Without one it is the beginning of what is kept. Throws BAD_REQUEST naming the field. */
export function placeOf(since: string | undefined, last: number, field = 'since'): number {
  if (since === undefined || since === '') return 0
  if (since === 'latest') return last
  // A cursor beyond the end comes from another journal, such as that of a store which was restored from a backup.
  if (!PLACE.test(since) || Number(since) > last) throw badCursor(field, since)
  return Number(since)
}
