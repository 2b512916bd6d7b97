import type { KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type CallContext, defineService } from '@gateway/sdk'
import type { Breakers } from '@gateway/sdk/bounds'
import type { NamedUrl, UrlFault, UrlRules } from './rules/named-url.ts'

export { OutgoingBusy, OutgoingFailed, OutgoingTimeout, outgoingErrors } from './errors.ts'
export type { NamedUrl, UrlFault, UrlRules } from './rules/named-url.ts'

/**
 * Where a call may go, by who named its URL.
 * `public`: a tenant: public unicast addresses alone, checked while connecting. `loopback`: this machine and nothing else.
 * `operator`: the configuration of the gateway: anywhere, by way of the system’s own look-up of names.
 */
export type Reach = 'public' | 'loopback' | 'operator'

/** How long a call may take, in milliseconds. */
export interface Timeouts {
  /** Until a connection is there, the wait for a free one included; at most, and by default, 10,000. */
  readonly connectMs?: number
  /** From the request on its way to the status of its answer; default 60,000. */
  readonly firstByteMs?: number
  /** Between two parts of the answer; default 60,000. A reader that takes its time is not counted. */
  readonly idleMs?: number
  /** From the look-up of the name to the last byte; default 120,000. */
  readonly totalMs?: number
}

/**
 * `gateway`: `x-gateway-signature` is `sha256=<hex HMAC of "<timestamp>.<body>">`, its time `x-gateway-timestamp`.
 * `webhook`: these, and `x-webhook-signature-256` with the HMAC of the body alone, as receivers of webhooks know it.
 */
export interface Signature {
  readonly key: string | KeyObject
  readonly as: 'gateway' | 'webhook'
}

/** One HTTP request. */
export interface OutgoingRequest {
  readonly url: string | URL
  readonly reach: Reach
  /** Default GET, with a body POST. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly timeouts?: Timeouts
  /** Of the answer, unpacked; default 1 MiB. What is streamed counts as well. */
  readonly maxResponseBytes?: number
  /** Ask for a compressed answer, and unpack it. Otherwise none is asked for, and to read one fails. */
  readonly decompress?: boolean
  readonly signature?: Signature
  /** What fails together. Default: the origin, for each tenant that names it its own. `false` where the caller keeps its own breaker. */
  readonly breaker?: string | false
}

/** Of the call: whose share it takes, who may end it, what time it is. */
export type OutgoingCaller = Pick<CallContext, 'tenantId' | 'signal' | 'now'>

/**
 * An answer, whatever its status: a redirect is one like any other. Its body is read once, in one of four ways, or let go with
 * `cancel`; until then it holds a connection, for as long as its time lasts. To read throws as the call does.
 */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All of it. */
  bytes(): Promise<Buffer>
  /** As it comes: the sender waits for the reader. To leave the loop ends the exchange. */
  parts(): AsyncGenerator<Buffer, void, undefined>
  /** Its lines, in UTF-8, without their ends. One of more than `maxLength` characters (default 1,048,576) fails. */
  lines(limits?: { readonly maxLength?: number }): AsyncGenerator<string, void, undefined>
  /** The events of a `text/event-stream`. One of more than `maxLength` characters (default 1,048,576) fails. */
  events(limits?: { readonly maxLength?: number }): AsyncGenerator<ServerSentEvent, void, undefined>
  cancel(): void
}

/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  readonly event?: string
  readonly data: string
  readonly id?: string
}

/** An answer that was read whole. */
export interface OutgoingAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/**
 * HTTP to the outside, one for all tenants. No redirect is followed and nothing is sent twice. Throws OUTGOING_FAILED,
 * OUTGOING_TIMEOUT, OUTGOING_BUSY (a tool that lets them pass lists `outgoingErrors`), and the reason of the caller’s signal.
 */
export interface Outgoing {
  /** Send, and have the answer whole. */
  send(request: OutgoingRequest, caller: OutgoingCaller): Promise<OutgoingAnswer>
  /** Send, and have the answer as soon as its status is there. */
  open(request: OutgoingRequest, caller: OutgoingCaller): Promise<OutgoingResponse>
  /** Whether a URL that a tenant names may be called, as far as its text can tell: for when it is stored. */
  readUrl(text: string, rules: UrlRules): NamedUrl | UrlFault
  /** What fails just now, and how to let it be called again. */
  readonly breakers: Pick<Breakers, 'state' | 'states' | 'reset'>
}
export const outgoing = defineService<Outgoing>('outgoing.http', 'process')
