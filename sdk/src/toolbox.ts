import type { ContentBlock } from './content.ts'
import type { Capability, Role } from './context.ts'
import { defineService } from './service.ts'
import type { Effect } from './tool.ts'

/** Description of a tool for a caller. */
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

/** The principal that a call is made for, in place of the caller: someone who ordered it and is no longer there. */
export interface OnBehalf {
  readonly id: string
  readonly role: Role
  /** Label of its API key, by which budgets have caps; the caller’s own never applies. */
  readonly label?: string
}

/**
 * Lists every tool the caller may call and calls one, on the single call path, as that caller. `list` and `get` know the tools
 * of the gateway; a tenant may have its own, which are read on demand. Provided by the kernel.
 */
export interface Toolbox {
  /**
   * In the order of the default list, without tools that are only in other views. The array is identical for as long as it
   * holds the same tools, so that derived data can be cached by it.
   */
  list(): readonly ToolInfo[]
  get(name: string): ToolInfo | undefined
  /** The tools of the caller's tenant alone. The array is identical for as long as it holds the same tools. */
  own(): Promise<readonly ToolInfo[]>
  /** Like `get`; if the gateway has no tool of the name, it searches the tenant's own. */
  find(name: string): Promise<ToolInfo | undefined>
  /**
   * Throws the refusal that a call with these arguments would get before its handler runs: of the schema, or of the tool's own `check`.
   * The handler is not called. A name that no tool has passes.
   */
  check(name: string, args: object): Promise<void>
  /**
   * Calls a tool. It is told to end with the caller and when `signal` is aborted; it may take time or ignore that. Throws the
   * called tool's refusal, which a handler may pass on undeclared: UNKNOWN_TOOL for a name that the list has under no role,
   * FORBIDDEN for a tool that this caller's role may not call. With `as` it is authorized and audited as that principal, in the
   * caller's tenant; FORBIDDEN if that role exceeds the caller's own. With `in` it is a call in another tenant: FORBIDDEN
   * except for `system` and `operator`. With `byModel` a model chose the arguments: the principal of the call, and of the calls that
   * it makes, says so.
   */
  call(
    name: string,
    args: object,
    options?: {
      readonly as?: OnBehalf | undefined
      readonly in?: string | undefined
      readonly byModel?: boolean | undefined
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<{ readonly result: object; readonly content?: readonly ContentBlock[] }>
}
/** The kernel's service that lists tools and calls them as the caller. */
export const toolbox = defineService<Toolbox>('gateway.toolbox')
