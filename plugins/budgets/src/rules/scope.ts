export interface Scope {
  readonly channel?: string | undefined
  /** Label of the caller's API key. */
  readonly key?: string | undefined
  readonly agent?: string | undefined
  readonly task?: string | undefined
  /** The swarm that the task is a child of. */
  readonly swarm?: string | undefined
  readonly model?: string | undefined
  readonly tenantId?: string | undefined
  readonly plan?: string | undefined
}

/** Entry of a setting that applies to every name without an entry of its own. */
export const EACH = '*'

/** Dimensions of a call that have meters of their own, in the order in which a refusal names their caps. */
export const METERED = [
  { dimension: 'key', setting: 'keys' },
  { dimension: 'agent', setting: 'agents' },
  { dimension: 'task', setting: 'tasks' },
  { dimension: 'swarm', setting: 'swarms' },
  { dimension: 'model', setting: 'models' },
] as const

/** A cap of a tenant or of a plan is held against all spending of the tenant. */
export const WHOLE = [
  { dimension: 'tenantId', setting: 'tenants' },
  { dimension: 'plan', setting: 'plans' },
] as const
