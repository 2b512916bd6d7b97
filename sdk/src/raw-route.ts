import type { Readable, Writable } from 'node:stream'
import type { CallContext, Capability } from './context.ts'
import { defineContribution } from './contribution.ts'
import type { ErrorSpec } from './error.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { RawHttp } from './raw-http.ts'
import type { Resolved, Uses } from './ref.ts'
import type { Route } from './route.ts'
import type { Infer, ObjectSchema } from './schema.ts'
import { Type } from './schema.ts'
import type { TenantRole } from './tenancy.ts'
import type { Effect, RestBinding } from './tool.ts'

/** A request and its answer as streams: neither is held in memory. */
export interface Exchange {
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as it arrives, undecoded. */
  readonly body: Readable
  /**
   * Begins the answer; call it once. An error thrown before is answered as an error record, one thrown after closes the
   * connection.
   */
  answer(status: number, headers: Readonly<Record<string, string | readonly string[]>>): Writable
  /** Notifies of each piece that is received or sent. */
  onMoved(listener: () => void): void
}

/** A route whose bodies are streams. */
export interface RawRoute extends Route {
  readonly raw: true
  readonly http?: RawHttp
}

/** Identifies the owner of a secret in one tenant, for the raw routes it names. */
export interface CredentialCheck {
  /** Names of raw routes with `credential: 'own'`. */
  readonly routes: readonly string[]
  /** The caller, as the trail shows it; `undefined` where the secret is not valid. Bound to the tenant that the path names, which exists. */
  check(secret: string): Promise<{ readonly id: string; readonly role: TenantRole } | undefined>
}
/** Contributes a check of the credentials of the plugin's own raw routes. */
export const credentialCheck = defineContribution<CredentialCheck>('gateway.credential-check')

const RAW: MembersOf<typeof defineRawRoute> = {
  name: true,
  description: true,
  capability: true,
  effect: true,
  rest: true,
  idleMs: true,
  credential: true,
  input: true,
  http: true,
  errors: true,
  uses: true,
  handle: true,
}

/**
 * Declares a route for a protocol that is not JSON: `handle` receives the bodies as streams. It takes the same call path as any
 * other call, with authorization, an audit record and a permit; `input` holds the path and query. It ends when `handle` does,
 * and when nothing was sent or received for `idleMs`. `credential: 'own'` accepts only credentials that a `credentialCheck`
 * knows: the password of Basic, or a Bearer token, of the tenant in the path, whose parameter is `:owner`.
 *
 * `credential: 'signed'` accepts none: `handle` itself checks the signature over the bytes of the body, and refuses with 401
 * before it changes anything. Until then the caller is unknown and runs in the operator's own tenant as a member, so the route
 * must bound what it reads and how many read at once.
 */
export function defineRawRoute<const I extends ObjectSchema, const R extends string, const U extends Uses = Record<never, never>>(route: {
  name: string
  description: string
  capability: Capability
  effect: Effect
  rest: R & RestBinding<R, Infer<I>>
  idleMs: number
  credential: 'caller' | 'admin' | 'own' | 'signed'
  input: I
  /** Describes headers, body and answer in the OpenAPI document. */
  http?: RawHttp
  errors?: readonly ErrorSpec[]
  uses?: U
  handle: (input: Infer<I>, uses: Resolved<U>, ctx: CallContext, exchange: Exchange) => Promise<void>
}): RawRoute {
  refuseUnknown(`raw route ${route?.name}`, route, RAW)
  const { idleMs, handle, ...shared } = route
  return {
    errors: [],
    status: 200,
    idempotent: route.effect === 'read',
    ...shared,
    timeoutMs: idleMs,
    output: Type.Object({}),
    uses: route.uses ?? {},
    kind: 'route',
    raw: true,
    async handle(input: never, uses: never, ctx: CallContext & { readonly exchange?: Exchange }) {
      if (!ctx.exchange) throw new Error(`${route.name} was called without streams`)
      ctx.exchange.onMoved(() => ctx.progress(0))
      await handle(input, uses, ctx, ctx.exchange)
      return {}
    },
  } as unknown as RawRoute
}
