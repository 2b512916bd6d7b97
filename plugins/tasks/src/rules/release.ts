import type { Status } from '../schema.ts'

/** True if an upstream in this status no longer holds its dependents back; `early` ones start when it reaches review. */
export const isReleasedBy = (status: Status, early: boolean): boolean => status === 'done' || (early && status === 'review')
