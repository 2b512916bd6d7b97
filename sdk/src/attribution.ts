import type { Principal } from './context.ts'
import { BadRequest } from './error.ts'
import type { TenantAdmin, TenantKey } from './tenancy.ts'

/** Prefix of a principal's id for calls with an API key. */
const KEY = 'key:'

/** Name of a caller where nothing else names it: the label of its API key, or else its id. */
export const callerName = ({ label, id }: Pick<Principal, 'label' | 'id'>): string => label ?? id

/**
 * The principal that made a call, for a record that also has a name the caller reports: `key agent-3` by the label of its key, or else by the id;
 * `user ann`, `operator`, `system`.
 */
export function principalName({ id, kind, label }: Principal): string {
  if (id.startsWith(KEY)) return `key ${label ?? id.slice(KEY.length)}`
  return id === kind ? kind : `${kind} ${id}`
}

/** A reported name with the principal beside it, as people read it: `m2/agent-5 (key agent-3)`. */
export const attributed = (name: string, principal: string | undefined): string =>
  principal === undefined ? name : `${name} (${principal})`

/**
 * The name that a caller reports, or the label of its key. Throws BAD_REQUEST naming `field` for a caller that has neither.
 */
export function reportedName(field: string, given: string | undefined, { label }: Pick<Principal, 'label'>): string {
  const name = given ?? label
  if (name !== undefined) return name
  throw BadRequest({ field, message: `\`${field}\` is missing: only a caller whose API key has a label may omit it.` })
}

/**
 * A holder of something that only one may hold: the reported name, or the label of the key. Two keys may have the same label, so a holder
 * that is named by it alone has the `holderId` of its principal as well, and holds nothing of others of that name.
 */
export interface Holder {
  readonly holder: string
  readonly holderId?: string
}

/** The holder that a caller names, or that its key names. Throws BAD_REQUEST naming `holder` for a caller that has neither. */
export function reportedHolder(given: string | undefined, { id, label }: Pick<Principal, 'id' | 'label'>): Holder {
  const holder = reportedName('holder', given, label === undefined ? {} : { label })
  return given === undefined ? { holder, holderId: id } : { holder }
}

/** Labels of a tenant's valid keys by the id of their principal, so that lists show names in place of ids. */
export async function keyLabels(tenants: Pick<TenantAdmin, 'listKeys'>, tenantId: string): Promise<ReadonlyMap<string, string>> {
  // A tenant that was never made through the gateway has no keys.
  const keys = await tenants.listKeys(tenantId).catch((): readonly TenantKey[] => [])
  return new Map(keys.flatMap(({ keyId, label }) => (label === undefined ? [] : [[`${KEY}${keyId}`, label] as const])))
}
