import type { Principal } from '@gateway/sdk'
import type { Gateway } from '../gateway.ts'
import { LazyAbort } from '../lazy-abort.ts'
import { type Dispatch, type McpCaller, stringParam } from './dispatcher.ts'
import type { OpenStream } from './event-stream.ts'
import { instructions } from './instructions.ts'
import {
  errorMessage,
  type Id,
  INTERNAL,
  INVALID_REQUEST,
  type Message,
  type Params,
  RpcError,
  readMessage,
  resultMessage,
} from './jsonrpc.ts'
import { ProgressStream, progressToken } from './progress.ts'
import { type Session, Sessions } from './sessions.ts'
import type { View } from './views.ts'

/**
 * The era in which a client shakes hands, protocol versions 2024-11-05 to 2025-11-25:
 *
 * 1. `initialize` agrees on a version, opens a session and hands out the boot bundle;
 * 2. requests name the session; they are also served without one, so that a single plain POST works;
 * 3. `notifications/cancelled` reaches a call of the same session (a caller without one hangs up instead);
 * 4. DELETE ends the session; so do an hour of silence, a full table, and the suspension of its tenant.
 */
export const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
const LATEST = '2025-11-25'
/** What a request without a version header and without a session is taken for, by the protocol’s own rule. */
const ASSUMED = '2025-03-26'
/** The last version that knows batches. Dates of this form compare as text. */
const LAST_WITH_BATCHES = '2025-03-26'
const MAX_BATCH = 100

const CANCELLED = new Error('cancelled by the client')

/** One POST as the transport received it. */
export interface Exchange {
  readonly body: unknown
  readonly principal: Principal
  readonly requestId: string
  readonly view: View
  readonly sessionId: string | undefined
  readonly version: string | undefined
  /** Aborted by the transport when the client goes away. */
  readonly abort: LazyAbort
  /** Opens an event stream in place of a JSON answer; absent when the client takes none. */
  readonly openStream: OpenStream | undefined
}

/** What to answer; no body with 202. */
export interface Answer {
  readonly status: number
  readonly body?: string | Buffer
  readonly sessionId?: string
}

export class Handshake {
  readonly sessions: Sessions
  readonly #gateway: Gateway
  readonly #dispatch: Dispatch

  constructor(gateway: Gateway, dispatch: Dispatch) {
    this.#gateway = gateway
    this.#dispatch = dispatch
    this.sessions = new Sessions(gateway.clock)
    gateway.onTenantBlocked((tenantId) => this.sessions.endTenant(tenantId))
  }

  /** Undefined when the answer went out as an event stream. */
  post(exchange: Exchange): Promise<Answer | undefined> | Answer {
    const { body, version, sessionId } = exchange
    if (version !== undefined && !isVersion(version)) return unsupportedVersion(version)
    const session = sessionId === undefined ? undefined : this.sessions.find(sessionId, exchange.principal)
    if (sessionId !== undefined && session === undefined) return unknownSession()
    if (!Array.isArray(body)) return this.#single(readMessage(body), exchange, session)
    return this.#batch(body, exchange, session, session?.version ?? version ?? ASSUMED)
  }

  end(sessionId: string | undefined, principal: Principal): Answer {
    if (sessionId === undefined) return refused(400, 'Mcp-Session-Id names the session to end')
    const session = this.sessions.find(sessionId, principal)
    if (session === undefined) return unknownSession()
    this.sessions.end(session)
    return { status: 204 }
  }

  async #single(message: Message, exchange: Exchange, session: Session | undefined): Promise<Answer | undefined> {
    if (message.kind === 'invalid') return { status: 400, body: errorMessage(message.id, message.error) }
    if (message.kind !== 'request') {
      this.#hear(message, session)
      return { status: 202 }
    }
    if (message.method === 'initialize') return await this.#initialize(message.id, message.params, exchange)
    const token = exchange.openStream && progressToken(message.params)
    const stream = exchange.openStream && token !== undefined ? new ProgressStream(token, exchange.openStream) : undefined
    const body = await this.#answer(message, exchange, exchange.abort, session, stream?.report)
    if (stream?.finish(body)) return undefined
    return body === undefined ? { status: 202 } : { status: 200, body }
  }

  async #batch(entries: readonly unknown[], exchange: Exchange, session: Session | undefined, version: string): Promise<Answer> {
    if (version > LAST_WITH_BATCHES) return refused(400, `protocol version ${version} has no batches; send one message per POST`)
    if (entries.length === 0 || entries.length > MAX_BATCH) {
      return refused(400, `a batch has 1 to ${MAX_BATCH} messages; got ${entries.length}`)
    }
    // Each can be cancelled by itself; all end when the client goes away.
    const aborts = entries.map(() => new LazyAbort())
    const { signal } = exchange.abort
    const abortAll = (): void => {
      for (const abort of aborts) abort.abort(signal.reason as Error)
    }
    signal.addEventListener('abort', abortAll, { once: true })
    const answers = await Promise.all(
      entries.map((entry, i) => this.#batchEntry(readMessage(entry), exchange, aborts[i] as LazyAbort, session)),
    )
    const bodies = answers.filter((body) => body !== undefined)
    return bodies.length === 0 ? { status: 202 } : { status: 200, body: `[${bodies.join(',')}]` }
  }

  async #batchEntry(
    message: Message,
    exchange: Exchange,
    abort: LazyAbort,
    session: Session | undefined,
  ): Promise<string | Buffer | undefined> {
    if (message.kind === 'invalid') return errorMessage(message.id, message.error)
    if (message.kind !== 'request') return this.#hear(message, session)
    if (message.method === 'initialize') {
      return errorMessage(message.id, new RpcError(INVALID_REQUEST, 'Invalid request: initialize stands alone, not in a batch'))
    }
    return await this.#answer(message, exchange, abort, session)
  }

  /** The whole answer, or undefined when the client cancelled: then nothing may be said any more. */
  async #answer(
    { id, method, params }: Extract<Message, { kind: 'request' }>,
    { principal, requestId, view }: Exchange,
    abort: LazyAbort,
    session: Session | undefined,
    progress?: McpCaller['progress'],
  ): Promise<string | Buffer | undefined> {
    if (method === 'ping') return resultMessage(id, '{}')
    session?.running.set(id, abort)
    try {
      const result = await this.#dispatch(method, params, { principal, requestId, view, abort, progress })
      return abort.reason === CANCELLED ? undefined : resultMessage(id, result)
    } catch (error) {
      return abort.reason === CANCELLED ? undefined : this.#failure(id, error, method, requestId)
    } finally {
      if (session?.running.get(id) === abort) session.running.delete(id)
    }
  }

  #failure(id: Id, error: unknown, method: string, requestId: string): string {
    if (error instanceof RpcError) return errorMessage(id, error)
    this.#gateway.log.error({ err: error, method, requestId }, 'an MCP method failed')
    return errorMessage(id, new RpcError(INTERNAL, 'Internal error', { requestId }))
  }

  /** Notifications need no answer, and the gateway asks its clients nothing, so their responses are nobody’s. */
  #hear(message: Extract<Message, { kind: 'notification' | 'response' }>, session: Session | undefined): undefined {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      session?.running.get(message.params.requestId as Id)?.abort(CANCELLED)
    }
  }

  async #initialize(id: Id, params: Params, { principal, requestId, view }: Exchange): Promise<Answer> {
    try {
      const asked = stringParam(params, 'protocolVersion')
      const version = isVersion(asked) ? asked : LATEST
      const result = {
        protocolVersion: version,
        // Exactly what works. Lists do not change while the gateway runs, and nothing can be subscribed to.
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: 'gateway', version: this.#gateway.version },
        instructions: await instructions(this.#gateway, principal, view),
      }
      return { status: 200, body: resultMessage(id, JSON.stringify(result)), sessionId: this.sessions.open(principal, version).id }
    } catch (error) {
      return { status: 200, body: this.#failure(id, error, 'initialize', requestId) }
    }
  }
}

function isVersion(version: string): boolean {
  return (VERSIONS as readonly string[]).includes(version)
}

function refused(status: number, why: string, data?: unknown): Answer {
  return { status, body: errorMessage(null, new RpcError(INVALID_REQUEST, `Invalid request: ${why}`, data)) }
}

function unsupportedVersion(requested: string): Answer {
  return refused(400, 'unsupported MCP-Protocol-Version', { supported: VERSIONS, requested: requested.slice(0, 60) })
}

function unknownSession(): Answer {
  return refused(404, 'no such session; initialize again')
}
