import type { KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type CallContext, defineService } from '@gateway/sdk'
import type { Breakers } from '@gateway/sdk/bounds'
import type { NamedUrl, UrlFault, UrlRules } from './rules/named-url.ts'

export { OutgoingBusy, OutgoingFailed, OutgoingTimeout, outgoingErrors } from './errors.ts'
export type { NamedUrl, UrlFault, UrlRules } from './rules/named-url.ts'

/**
 * Destinations that a call may have, by the origin of its URL. `public`: a tenant's URL; only public unicast addresses, checked
 * while connecting. `loopback`: only this machine. `operator`: the gateway's configuration; anywhere, with the system's name
 * resolution.
 */
export type Reach = 'public' | 'loopback' | 'operator'

/** Time limits of a call, in milliseconds. */
export interface Timeouts {
  /** Limit until a connection is open, including the wait for a free one; at most, and by default, 10,000. */
  readonly connectMs?: number
  /** Limit from the sent request to the status of its answer; default 60,000. */
  readonly firstByteMs?: number
  /** Limit between two parts of the answer; default 60,000. The reader's own time is not counted. */
  readonly idleMs?: number
  /** Limit from the name resolution to the last byte; default 120,000. */
  readonly totalMs?: number
}

/**
 * `gateway`: `x-gateway-signature` is `sha256=<hex HMAC of "<timestamp>.<body>">`, with the time in `x-gateway-timestamp`.
 * `webhook`: these, and `x-webhook-signature-256` with the HMAC of the body alone, which receivers of webhooks expect.
 */
export interface Signature {
  readonly key: string | KeyObject
  readonly as: 'gateway' | 'webhook'
}

export interface OutgoingRequest {
  readonly url: string | URL
  readonly reach: Reach
  /** Default GET, with a body POST. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly timeouts?: Timeouts
  /** Limit of the unpacked answer; default 1 MiB. Streamed data counts too. */
  readonly maxResponseBytes?: number
  /** Asks for a compressed answer and unpacks it. Otherwise none is requested, and reading one fails. */
  readonly decompress?: boolean
  readonly signature?: Signature
  /**
   * Breaker key. Default: the origin, plus the tenant where tenants choose the URL. `false` if the caller keeps its own breaker.
   */
  readonly breaker?: string | false
  /** Called when the request is written to its connection. A caller that leaves later cannot know whether it had its effect. */
  onSent?(): void
}

/** The caller: its tenant's share, its signal and its clock. `beforeEffect` is absent where no call is behind the request. */
export type OutgoingCaller = Pick<CallContext, 'tenantId' | 'signal' | 'now'> & Partial<Pick<CallContext, 'beforeEffect'>>

/**
 * An answer, whatever its status; a redirect is an answer like any other. Its body is read once, in one of four ways, or
 * dropped with `cancel`; until then it holds a connection, for as long as its time lasts. Reading throws like the call does.
 */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The whole body. */
  bytes(): Promise<Buffer>
  /** The body as it arrives: the sender waits for the reader. Leaving the loop ends the exchange. */
  parts(): AsyncGenerator<Buffer, void, undefined>
  /** The lines in UTF-8 without their ends. A line of more than `maxLength` characters (default 1,048,576) fails. */
  lines(limits?: { readonly maxLength?: number }): AsyncGenerator<string, void, undefined>
  /** The events of a `text/event-stream`. An event of more than `maxLength` characters (default 1,048,576) fails. */
  events(limits?: { readonly maxLength?: number }): AsyncGenerator<ServerSentEvent, void, undefined>
  cancel(): void
}

export interface ServerSentEvent {
  readonly event?: string
  readonly data: string
  readonly id?: string
}

/** An answer with its whole body. */
export interface OutgoingAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/**
 * Outgoing HTTP, shared by all tenants. No redirect is followed and nothing is sent twice. Throws OUTGOING_FAILED,
 * OUTGOING_TIMEOUT, OUTGOING_BUSY (a tool that passes them on lists `outgoingErrors`), and the reason of the caller's signal.
 */
export interface Outgoing {
  /** Sends and returns the whole answer. */
  send(request: OutgoingRequest, caller: OutgoingCaller): Promise<OutgoingAnswer>
  /** Sends and returns the answer as soon as its status is known. */
  open(request: OutgoingRequest, caller: OutgoingCaller): Promise<OutgoingResponse>
  /** Checks the text of a URL that a tenant names, when it is stored. */
  readUrl(text: string, rules: UrlRules): NamedUrl | UrlFault
  /** Breakers that are open now, and the way to close them. */
  readonly breakers: Pick<Breakers, 'state' | 'states' | 'reset'>
}
export const outgoing = defineService<Outgoing>('outgoing.http', 'process')
