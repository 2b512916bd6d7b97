import type { Capability } from './context.ts'
import { defineContribution } from './contribution.ts'
import type { ObjectSchema } from './schema.ts'
import type { Effect } from './tool.ts'

/** A tool that one tenant has, and that came to be while the gateway ran. */
export interface TenantTool {
  /** snake_case, at most 64 characters. Where a tool of the gateway has the name already, this one is neither listed nor called. */
  readonly name: string
  readonly description: string
  readonly capability: Capability
  readonly effect: Effect
  /** Default: true for `read`. */
  readonly idempotent?: boolean
  readonly openWorld?: boolean
  /** What is shown of it: an object schema without a combinator at its top, some hosts refuse a whole list for one. */
  readonly input: ObjectSchema
  /**
   * Checks the arguments of a call and fills in defaults, `tenantId` left out before; throws BAD_REQUEST naming the field. The
   * source’s own, because the schema came from outside: compiling or running it unbounded would stop the gateway.
   */
  readonly validate: (args: Record<string, unknown>) => Record<string, unknown>
}

/**
 * Tools of tenants, as one plugin keeps them. The kernel lists and calls them as if they were the plugin’s own tools, on every
 * face and on the one path, for the tenant that `create` was bound to and no other:
 *
 * 1. a name that no tool of the gateway has, or a request for a list, asks for `revision`;
 * 2. when it is another than last time, `list` is asked, and what was made of the list before is let go;
 * 3. the caller is authorized and the arguments are validated, as for any tool;
 * 4. `call` runs, and the call is audited by the tool’s effect.
 *
 * Whoever changes the tools emits `listChanged`, so that clients who listen ask for the list again.
 */
export interface TenantTools {
  /** Other whenever `list` would answer otherwise, also when another process made the change; '' for none. One cheap read. */
  revision(): Promise<string>
  list(): Promise<readonly TenantTool[]>
  /** `tool` is one of `list`; `args` are valid. The result is the tool’s result. It may throw the `errors` of the contribution. */
  call(tool: TenantTool, args: Readonly<Record<string, unknown>>): Promise<object>
}
/** Where plugins contribute tools that one tenant has and others have not. */
export const tenantTools = defineContribution<TenantTools>('gateway.tenant-tools')
