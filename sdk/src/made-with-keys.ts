import { defineContribution } from './contribution.ts'

/** Something that keeps acting in the name of the API key it was created with. */
export interface MadeWithKey {
  /** Its kind, such as `schedule`. */
  readonly kind: string
  readonly id: string
  readonly name: string
}

/**
 * Things of a family that act in the name of an API key after the call that created them. Before each run the family asks
 * `TenantAdmin.standingKey`, so such a thing ends with its key. When a key is rotated, it continues under the new one.
 */
export interface MadeWithKeys {
  /** Transfers everything that any of `from` (principal ids, `key:…`) owns to `to`. Returns it, at most 1,000 things. */
  handOver(tenantId: string, from: readonly string[], to: string): Promise<readonly MadeWithKey[]>
}
/** Contributes things that act in the name of API keys, to be transferred when keys are rotated. */
export const madeWithKeys = defineContribution<MadeWithKeys>('gateway.made-with-keys')
