import type { Capability } from './context.ts'
import { defineContribution } from './contribution.ts'
import type { ObjectSchema } from './schema.ts'
import type { Effect } from './tool.ts'

/** A tool of one tenant, created while the gateway runs. */
export interface TenantTool {
  /** snake_case, at most 64 characters. If a tool of the gateway has the name, this one is neither listed nor called. */
  readonly name: string
  readonly description: string
  readonly capability: Capability
  readonly effect: Effect
  /** Default: true for `read`. */
  readonly idempotent?: boolean
  readonly openWorld?: boolean
  /** Published schema: an object schema without a combinator at its top, because some hosts refuse a whole list for one. */
  readonly input: ObjectSchema
  /**
   * Validates the arguments of a call and fills in defaults, after `tenantId` was removed; throws BAD_REQUEST naming the field.
   * The source provides it, because the schema came from outside: compiling or running it without bounds would stop the
   * gateway.
   */
  readonly validate: (args: Record<string, unknown>) => Record<string, unknown>
}

/**
 * Tools of tenants, kept by one plugin. The kernel lists and calls them like the plugin's own tools, on every transport and on
 * the single call path, only for the tenant that `create` was bound to:
 *
 * 1. A name that no tool of the gateway has, or a request for a list, reads `revision`.
 * 2. If it differs from the last one, `list` is called, and data derived from the old list is dropped.
 * 3. The caller is authorized and the arguments are validated, as for any tool.
 * 4. `call` runs, and the call is audited by the tool's effect.
 *
 * A change of the tools emits `listChanged`, so that listening clients ask for the list again.
 */
export interface TenantTools {
  /**
   * Changes whenever `list` would answer differently, also if another process made the change; '' means no tools. One cheap read.
   */
  revision(): Promise<string>
  list(): Promise<readonly TenantTool[]>
  /**
   * `tool` is one of `list`; `args` are valid. The result is the tool's result. It may throw the `errors` of the contribution.
   */
  call(tool: TenantTool, args: Readonly<Record<string, unknown>>): Promise<object>
}
/** Contributes tools of single tenants. */
export const tenantTools = defineContribution<TenantTools>('gateway.tenant-tools')
