import type { Lease } from '../schema.ts'

/** The lease as callers see it, who know principals by their names. */
export function shown({ holderId: _holderId, ...lease }: Lease & { readonly holderId?: string }): Lease {
  return lease
}
