import type { ContentBlock } from './content.ts'
import type { Capability, Role } from './context.ts'
import { defineService } from './service.ts'
import type { Effect } from './tool.ts'

/** What a caller may know of a tool. */
export interface ToolInfo {
  readonly name: string
  /** Id of the plugin that offers it: its family. */
  readonly plugin: string
  readonly description: string
  readonly capability: Capability
  readonly effect: Effect
  /** JSON Schema of the arguments. */
  readonly input: object
}

/** Whom a call is made for, in place of the caller: someone who ordered it and is not there any more. */
export interface OnBehalf {
  readonly id: string
  readonly role: Role
}

/**
 * Every tool the caller may call, and a way to call one: on the one path, as that caller. `list` and `get` know the
 * tools of the gateway; a tenant may have some of its own, which are read when asked for. Provided by the kernel.
 */
export interface Toolbox {
  /**
   * In the order of the default list, without the tools that stand in other views only. The very same array for as long
   * as it holds the same tools, so that what was made of it can be kept beside it.
   */
  list(): readonly ToolInfo[]
  get(name: string): ToolInfo | undefined
  /** The tools of the caller’s tenant alone. The very same array for as long as it holds the same tools. */
  own(): Promise<readonly ToolInfo[]>
  /** As `get`, and if the gateway has none of the name, among the tenant’s own. */
  find(name: string): Promise<ToolInfo | undefined>
  /**
   * The called tool is told to end with the caller, and when `signal` says so; it may take its time, or not listen.
   * Throws the called tool’s refusal, which a handler may let through undeclared: UNKNOWN_TOOL for what the list would
   * not have under any role, FORBIDDEN for what this caller’s role may not call. With `as` it is authorized and audited
   * as that principal, in the caller’s tenant; FORBIDDEN when that role may do more than the caller’s own. With `in` it is a call in
   * another tenant: FORBIDDEN but for `system` and `operator`.
   */
  call(
    name: string,
    args: object,
    options?: { readonly as?: OnBehalf | undefined; readonly in?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<{ readonly result: object; readonly content?: readonly ContentBlock[] }>
}
/** The kernel’s service that lists tools and calls them as the caller. */
export const toolbox = defineService<Toolbox>('gateway.toolbox')
