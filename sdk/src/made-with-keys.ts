import { defineContribution } from './contribution.ts'

/** A thing that goes on in the name of the API key it was made with. */
export interface MadeWithKey {
  /** What it is, as `schedule`. */
  readonly kind: string
  readonly id: string
  readonly name: string
}

/**
 * What a family lets go on in the name of an API key after the call that made it. Before each run it asks `TenantAdmin.standingKey`: with
 * its key such a thing ends. When a key is rotated, and so replaced, it goes on under the new one.
 */
export interface MadeWithKeys {
  /** From now on `to` answers for what any of `from` answered for (principal ids, `key:…`). What that is, at most 1,000 things. */
  handOver(tenantId: string, from: readonly string[], to: string): Promise<readonly MadeWithKey[]>
}
/** Tell what goes on in the name of API keys, and hand it over when they are rotated. */
export const madeWithKeys = defineContribution<MadeWithKeys>('gateway.made-with-keys')
