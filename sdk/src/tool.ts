import type { CallContext, Capability } from './context.ts'
import type { ErrorSpec } from './error.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Resolved, Uses } from './ref.ts'
import type { Infer, ObjectSchema, Schema } from './schema.ts'

/** `read` changes nothing and is not audited; `destructive` removes or overwrites data that the caller cannot simply recreate. */
export type Effect = 'read' | 'write' | 'destructive'

/** The largest body that an operation may declare. */
export const LARGE_BODY_BYTES = 8_388_608
/** The most names and values that an operation may declare for a body: reading them takes a few tens of milliseconds. */
export const LARGE_BODY_VALUES = 100_000

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never
/** `METHOD /path/:param`, where every `:param` must be a property of the input schema. */
export type RestBinding<R extends string, Input> = R extends `${Method} /${infer P}`
  ? ParamNames<`/${P}`> extends keyof Input
    ? R
    : never
  : never

/** Common members of a tool and a plain route: the kernel's call path runs operations. */
export interface Operation {
  readonly name: string
  readonly description: string
  readonly capability: Capability
  /** Present if it is for the operator's own tenant; see `defineTool`. */
  readonly localOnly?: true | string | undefined
  readonly effect: Effect
  /** True if calling it twice with the same arguments changes no more than calling it once. Default: true for `read`. */
  readonly idempotent: boolean
  /** `METHOD /path`; arguments come from path, query and body together. */
  readonly rest: string | undefined
  /** HTTP status of success. Default 200. */
  readonly status: number
  /** Time limit of a call in milliseconds; 0 means none. Default: the gateway's setting. */
  readonly timeoutMs?: number | undefined
  /** Largest request body, if larger than the gateway accepts by default. */
  readonly bodyLimitBytes?: number | undefined
  /** Most names and values in a request body, if more than the gateway accepts by default. */
  readonly bodyLimitValues?: number | undefined
  /** True if half of a surrogate pair in its body becomes U+FFFD, where other operations refuse it. */
  readonly repairsText?: boolean | undefined
  /** Arguments whose values the audit record names as its subject. Default: those named like an id; see `defineTool`. */
  readonly subject?: readonly string[] | undefined
  readonly input: ObjectSchema
  readonly output: Schema
  readonly errors: readonly ErrorSpec[]
  readonly uses: Uses
  readonly handle: (input: never, uses: never, ctx: CallContext) => Promise<unknown>
}

/** A tool: listed over MCP, called over MCP, `POST /api/tools/{name}` and its own REST binding, all on one path. */
export interface Tool extends Operation {
  readonly kind: 'tool'
  /** True if it reaches systems outside the gateway (MCP `openWorldHint`). Default false. */
  readonly openWorld: boolean
  /**
   * `core`: also in the short list at `/mcp/core`; `core-only`: only there; `family-only`: only in the list of its family
   * (`/mcp/t/memory`). Default `default`.
   */
  readonly listing: 'default' | 'core' | 'core-only' | 'family-only'
  /** URI of the MCP App that hosts show beside its result, if a plugin that runs has it. */
  readonly app?: `ui://${string}` | undefined
  /** The argument that names the tool it calls, if it passes calls on. */
  readonly forwardsTo?: string | undefined
  /** Refuses arguments that the schema cannot; see `defineTool`. */
  readonly check?: ((input: never, ctx: CallContext) => void) | undefined
  /** Restores the long texts of the first answer to an idempotency key; see `defineTool`. */
  readonly completeReplay?: ((kept: never, uses: never, ctx: CallContext) => Promise<unknown>) | undefined
}

/** A tool that remembers its types, so that a unit test can call `handle` with fakes. */
export interface TypedTool<In, Out, Used> extends Tool {
  readonly handle: (input: In, uses: Used, ctx: CallContext) => Promise<Out>
}

const TOOL: MembersOf<typeof defineTool> = {
  name: true,
  description: true,
  capability: true,
  localOnly: true,
  effect: true,
  idempotent: true,
  openWorld: true,
  rest: true,
  status: true,
  timeoutMs: true,
  bodyLimitBytes: true,
  bodyLimitValues: true,
  repairsText: true,
  forwardsTo: true,
  subject: true,
  input: true,
  output: true,
  errors: true,
  uses: true,
  listing: true,
  app: true,
  check: true,
  completeReplay: true,
  handle: true,
}

/**
 * Declares a tool.
 *
 * 1. The kernel derives the caller, checks `capability` and drops a `tenantId` argument.
 * 2. It validates the arguments against `input`, fills in its defaults, and calls `check`, if there is one.
 * 3. It resolves `uses` for the caller's tenant and calls `handle`.
 * 4. A declared error becomes the error record; anything else becomes INTERNAL_ERROR with a log line that names plugin and tool.
 * 5. Unless `effect` is `read`, the audit trail gets a record.
 *
 * `input` is closed (`additionalProperties: false`) and has no top-level combinator.
 */
export function defineTool<
  const I extends ObjectSchema,
  const O extends Schema,
  const R extends string = never,
  const U extends Uses = Record<never, never>,
>(tool: {
  /** snake_case, exact, unique in one gateway. */
  name: string
  /** For the agent that chooses: what it does, when to use it, what it returns. One to three sentences. */
  description: string
  capability: Capability
  /**
   * For a tool that changes what holds for all tenants or reads this machine: a caller of another tenant than the operator's own needs the
   * capability `operator`, whatever its role has otherwise, and does not see the tool without. A text is the sentence of its refusal.
   */
  localOnly?: true | string
  effect: Effect
  idempotent?: boolean
  openWorld?: boolean
  rest?: R & RestBinding<R, Infer<I>>
  status?: number
  /**
   * Time limit of a call in milliseconds; 0 means none. Default: `GATEWAY_CALL_TIMEOUT_MS`. Each `ctx.progress` restarts the
   * time, and it stops while a client is asked or another tool is called. When it is over, `ctx.signal` is aborted and the
   * caller gets CALL_TIMEOUT, even if the handler has not ended.
   */
  timeoutMs?: number
  /** Largest request body, for data that is large by nature; at most 8 MiB. Default: `GATEWAY_BODY_LIMIT_BYTES`. */
  bodyLimitBytes?: number
  /** Most names and values in a request body, together; at most 100,000. Default: `GATEWAY_BODY_LIMIT_VALUES`. */
  bodyLimitValues?: number
  /**
   * True if half of a surrogate pair in its arguments becomes U+FFFD, where other operations refuse it: for records of what happened,
   * which must not fail their caller because of a text that was cut. Default: false.
   */
  repairsText?: boolean
  /** The argument that names the tool it calls, for a tool that passes calls on: `repairsText` of that tool then counts. */
  forwardsTo?: string & keyof Infer<I>
  /**
   * Arguments whose values the audit record names as its subject. Default: `id`, every name that ends in `Id`, and `repo`, `key`, `slug`,
   * `agent`, `skill`, `machine`, `provider`. `[]` for none. `operations[].taskId` names a member of each item of an array.
   */
  subject?: readonly ((string & keyof Infer<I>) | `${string & keyof Infer<I>}[].${string}`)[]
  input: I
  output: O
  errors?: readonly ErrorSpec[]
  uses?: U
  listing?: Tool['listing']
  /** URI of the MCP App that hosts show beside its result: `ui://gateway/desk`. */
  app?: Tool['app']
  /**
   * Throws for arguments that the schema cannot refuse, such as two that exclude each other or a date that no calendar has. It reads the
   * arguments and the caller alone, never the store: the toolbox also runs it for a call that is only planned, as by a schedule.
   */
  check?: (input: Infer<I>, ctx: CallContext) => void
  /**
   * Restores the first answer to an idempotency key when its texts were too long to be kept with the key: for a tool that takes away
   * what it returns. `kept` has them shortened. Returns `undefined` if they are lost; the replay then is as it was kept.
   */
  completeReplay?: (kept: Infer<O>, uses: Resolved<U>, ctx: CallContext) => Promise<Infer<O> | undefined>
  handle: (input: Infer<I>, uses: Resolved<U>, ctx: CallContext) => Promise<Infer<O>>
}): TypedTool<Infer<I>, Infer<O>, Resolved<U>> {
  refuseUnknown(`tool ${tool?.name}`, tool, TOOL)
  return {
    errors: [],
    status: 200,
    rest: undefined,
    openWorld: false,
    listing: 'default',
    idempotent: tool.effect === 'read',
    ...tool,
    uses: tool.uses ?? {},
    kind: 'tool',
  } as unknown as TypedTool<Infer<I>, Infer<O>, Resolved<U>>
}
