import { BreakerPermit, Breakers, Permits, type Share } from '@gateway/sdk/bounds'
import type { Outgoing, OutgoingAnswer, OutgoingCaller, OutgoingRequest, OutgoingResponse } from '../api.ts'
import { OutgoingBusy, OutgoingFailed } from '../errors.ts'
import { breakerKey, outcomeOf } from '../rules/breaking.ts'
import { ClosedAddress } from '../rules/failure.ts'
import { readUrl } from '../rules/named-url.ts'
import { signatureHeaders } from '../rules/signature.ts'
import { Answer } from './answer.ts'
import { type Ending, Exchange } from './exchange.ts'
import { nameServers, type Resolve } from './lookup.ts'
import { CONNECT_MS, Pools } from './pools.ts'
import { ACCEPTED } from './unpack.ts'

export interface OutgoingLimits {
  readonly callsPerTenant: number
  readonly callsPerOrigin: number
  readonly calls: number
  readonly connections: number
  readonly maxRequestBytes: number
  readonly failureThreshold: number
  readonly cooldownSeconds: number
}

const FIRST_BYTE_MS = 60_000
const IDLE_MS = 60_000
const TOTAL_MS = 120_000
const MAX_RESPONSE_BYTES = 1_048_576
const BUSY_SECONDS = 1
/** Methods of requests that change nothing where they arrive. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

interface BusyShare extends Share {
  readonly reason: 'tenant' | 'origin' | 'gateway'
  readonly what: string
}

/** Shared by all tenants: connections, permits and breakers. */
export class OutgoingHttp implements Outgoing {
  readonly breakers: Breakers
  readonly readUrl = readUrl
  readonly #permits = new Permits()
  readonly #pools: Pools
  readonly #limits: OutgoingLimits
  #undici: typeof import('undici') | undefined

  constructor(limits: OutgoingLimits, resolve: Resolve = nameServers()) {
    this.#limits = limits
    this.#pools = new Pools(resolve, limits)
    this.breakers = new Breakers({ failures: limits.failureThreshold, cooldownSeconds: limits.cooldownSeconds })
  }

  async send(request: OutgoingRequest, caller: OutgoingCaller): Promise<OutgoingAnswer> {
    const answer = await this.open(request, caller)
    return { status: answer.status, headers: answer.headers, body: await answer.bytes() }
  }

  async open(request: OutgoingRequest, caller: OutgoingCaller): Promise<OutgoingResponse> {
    // Loaded with the first call: most gateways never make one.
    const undici = (this.#undici ??= await import('undici'))
    const method = request.method ?? (request.body === undefined ? 'GET' : 'POST')
    if (!READS.has(method)) await caller.beforeEffect?.()
    // Checked after the last wait: from here on the exchange listens.
    caller.signal.throwIfAborted()
    const url = typeof request.url === 'string' ? new URL(request.url) : request.url
    const { origin } = url
    const { body, timeouts = {}, maxResponseBytes = MAX_RESPONSE_BYTES, decompress = false } = request
    if (body !== undefined && Buffer.byteLength(body) > this.#limits.maxRequestBytes) {
      throw OutgoingFailed({ origin, reason: 'request_too_large', sent: false })
    }
    const leave = this.#enter(request, caller, origin)
    const exchange = new Exchange(
      {
        origin,
        connectMs: Math.min(timeouts.connectMs ?? CONNECT_MS, CONNECT_MS),
        firstByteMs: timeouts.firstByteMs ?? FIRST_BYTE_MS,
        idleMs: timeouts.idleMs ?? IDLE_MS,
        totalMs: timeouts.totalMs ?? TOTAL_MS,
        maxBytes: maxResponseBytes,
        bodiless: method === 'HEAD',
        onSent: () => request.onSent?.(),
      },
      caller.signal,
      leave,
    )
    try {
      const pool = this.#pools.of({ tenantId: caller.tenantId, origin, hostname: url.hostname, reach: request.reach }, undici)
      const headers = headersOf(request, caller)
      pool.dispatch({ method, path: `${url.pathname}${url.search}`, headers, body: body ?? null }, exchange)
    } catch (error) {
      if (error instanceof ClosedAddress) exchange.fail('address')
      else exchange.abandon(error as Error)
    }
    return new Answer(await exchange.head, { origin, maxBytes: maxResponseBytes, decompress })
  }

  close(): Promise<void> {
    return this.#pools.close()
  }

  /** Takes the permits of a call and asks the breaker; the result returns them when the exchange has ended. */
  #enter(
    { reach, breaker }: OutgoingRequest,
    caller: OutgoingCaller,
    origin: string,
  ): (ending: Ending, status: number | undefined) => void {
    const { tenantId } = caller
    const shares = this.#shares(tenantId, origin)
    const full = this.#permits.take(shares)
    if (full) {
      const message = `${full.what} ${full.atMost} outgoing calls in progress, the maximum; try again in ${BUSY_SECONDS} s.`
      throw OutgoingBusy({ origin, reason: full.reason, retryAfterSeconds: BUSY_SECONDS, message })
    }
    const permit =
      breaker === false ? undefined : this.breakers.enter(breaker ?? breakerKey(reach, origin, tenantId), caller.now().getTime())
    if (permit && !(permit instanceof BreakerPermit)) {
      this.#permits.give(shares)
      const { failures, retryAfterSeconds } = permit
      const message = `${origin} rests after ${failures} failures in a row; try again in ${retryAfterSeconds} s.`
      throw OutgoingBusy({ origin, reason: 'breaker', retryAfterSeconds, message })
    }
    return (ending, status) => {
      this.#permits.give(shares)
      permit?.end(outcomeOf(ending, status), caller.now().getTime())
    }
  }

  #shares(tenantId: string, origin: string): readonly BusyShare[] {
    const { callsPerTenant, callsPerOrigin, calls } = this.#limits
    return [
      { key: `tenant ${tenantId}`, atMost: callsPerTenant, reason: 'tenant', what: 'This tenant has' },
      { key: `origin ${origin}`, atMost: callsPerOrigin, reason: 'origin', what: `${origin} has` },
      { key: 'all', atMost: calls, reason: 'gateway', what: 'The gateway has' },
    ]
  }
}

function headersOf({ headers, body, decompress, signature }: OutgoingRequest, caller: OutgoingCaller): Record<string, string> {
  return {
    'user-agent': 'gateway',
    'accept-encoding': decompress ? ACCEPTED : 'identity',
    ...headers,
    ...(signature && signatureHeaders(signature, body ?? '', caller.now())),
  }
}
