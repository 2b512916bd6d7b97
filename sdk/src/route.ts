import type { CallContext, Capability } from './context.ts'
import type { ErrorSpec } from './error.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Resolved, Uses } from './ref.ts'
import type { Infer, ObjectSchema, Schema } from './schema.ts'
import type { Effect, Operation, RestBinding } from './tool.ts'

/**
 * `caller`: any known caller. `admin`: `X-Admin-Token`; the caller acts as the operator. `admin-and-local`: local trust in
 * addition. `own` and `signed`: checked by the plugin itself, for raw routes.
 */
export type Credential = 'caller' | 'admin' | 'admin-and-local' | 'own' | 'signed'
/** Credentials that the gateway itself checks. */
export type GatewayCredential = Exclude<Credential, 'own' | 'signed'>

/** A REST route that is not a tool, for dashboards. It takes the same call path and checks, and is not listed over MCP. */
export interface Route extends Operation {
  readonly kind: 'route'
  readonly rest: string
  readonly credential: Credential
}

/** A route that remembers its types. */
export interface TypedRoute<In, Out, Used> extends Route {
  readonly handle: (input: In, uses: Used, ctx: CallContext) => Promise<Out>
}

const ROUTE: MembersOf<typeof defineRoute> = {
  name: true,
  description: true,
  capability: true,
  effect: true,
  rest: true,
  status: true,
  timeoutMs: true,
  bodyLimitBytes: true,
  bodyLimitValues: true,
  repairsText: true,
  credential: true,
  input: true,
  output: true,
  errors: true,
  uses: true,
  handle: true,
}

/** Declares a route; `name` identifies it in audit, logs and OpenAPI (`operationId`), such as `tasks.get`. */
export function defineRoute<
  const I extends ObjectSchema,
  const O extends Schema,
  const R extends string,
  const U extends Uses = Record<never, never>,
>(route: {
  name: string
  description: string
  capability: Capability
  effect: Effect
  rest: R & RestBinding<R, Infer<I>>
  status?: number
  /** Same as for a tool. */
  timeoutMs?: number
  bodyLimitBytes?: number
  bodyLimitValues?: number
  repairsText?: boolean
  /** Default `caller`. */
  credential?: GatewayCredential
  input: I
  output: O
  errors?: readonly ErrorSpec[]
  uses?: U
  handle: (input: Infer<I>, uses: Resolved<U>, ctx: CallContext) => Promise<Infer<O>>
}): TypedRoute<Infer<I>, Infer<O>, Resolved<U>> {
  refuseUnknown(`route ${route?.name}`, route, ROUTE)
  return {
    errors: [],
    status: 200,
    credential: 'caller',
    idempotent: route.effect === 'read',
    ...route,
    uses: route.uses ?? {},
    kind: 'route',
  } as unknown as TypedRoute<Infer<I>, Infer<O>, Resolved<U>>
}
