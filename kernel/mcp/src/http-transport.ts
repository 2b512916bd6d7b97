import type { IncomingHttpHeaders } from 'node:http'
import type { Gateway } from '@gateway/kernel'
import { namesStreams, requireAnswers, requireStreams } from './accept.ts'
import { createDispatcher } from './dispatcher.ts'
import type { Answer } from './handshake/exchange.ts'
import { Handshake } from './handshake/handshake.ts'
import { INTERNAL, PARSE_ERROR, SERVER_ERROR } from './jsonrpc.ts'
import { KeepAlive } from './keep-alive.ts'
import { LiveStreams } from './live-streams.ts'
import type { McpRequest } from './mcp-request.ts'
import { Operations } from './operations.ts'
import { type SseRequest, SseTransport } from './sse-transport.ts'
import { isStateless, isStatelessBatch, namesStateless } from './stateless/classify.ts'
import { REFUSED } from './stateless/refusal.ts'
import { Stateless } from './stateless/stateless.ts'

export interface McpTransport {
  /** Undefined if the answer was sent as an event stream. Throws NOT_ACCEPTABLE. */
  post(request: McpRequest): Promise<Answer | undefined> | Answer
  get(request: Pick<McpRequest, 'headers' | 'principal' | 'openStream'>): Promise<Answer | undefined> | Answer | undefined
  delete(request: Pick<McpRequest, 'headers' | 'principal'>): Promise<Answer | undefined> | Answer | undefined
  /** The transport of the first revision: opens its stream, which names `address` as the place to post messages to. */
  openSse(request: Pick<McpRequest, 'headers' | 'principal' | 'openStream'>, address: string): void
  /** A message for the stream of that id. */
  postSse(request: Pick<McpRequest, 'body' | 'principal' | 'requestId' | 'view'> & Pick<SseRequest, 'isAdmitted'>, id: string): Answer
  /** Ends open questions, so that nobody waits for a client any more. */
  endQuestions(): void
  /** Ends what would delay a stop: streams on which a client only listens, and tasks. */
  close(): Promise<void>
}

const IDLE_CHECK_MS = 15_000

export function mcpTransport(gateway: Gateway): McpTransport {
  const keepAlive = new KeepAlive()
  const live = new LiveStreams(keepAlive, gateway.admission)
  const dispatch = createDispatcher(gateway)
  const operations = new Operations(gateway.metrics, () => ({
    sessions: handshake.sessions.here.size,
    streams: live.size + stateless.listening,
  }))
  const handshake: Handshake = new Handshake(gateway, dispatch, { live, operations })
  const sse = new SseTransport(handshake)
  const stateless: Stateless = new Stateless(gateway, dispatch, { keepAlive, live, operations })
  gateway.onTenantBlocked((tenantId) => live.endTenant(tenantId, new Error('the tenant was suspended')))
  const timer = setInterval(() => handshake.tick(), IDLE_CHECK_MS).unref()
  return {
    post(request) {
      const { headers, body, principal, requestId, view, abort } = request
      const { accept, 'mcp-session-id': sessionId, 'mcp-protocol-version': version } = headers
      const openStream = namesStreams(accept) ? request.openStream : undefined
      if (openStream === undefined) requireAnswers(accept)
      if (isStateless(body, headers)) return stateless.post(request, openStream)
      if (isStatelessBatch(body)) return stateless.refuseBatch()
      return handshake.post({
        body,
        principal,
        requestId,
        view,
        abort,
        sessionId: single(sessionId),
        version: single(version),
        openStream,
      })
    },
    get({ headers, principal, openStream }) {
      requireStreams(headers.accept)
      return handshake.get({ ...named(headers), principal, openStream, lastEventId: single(headers['last-event-id']) })
    },
    openSse({ headers, principal, openStream }, address) {
      requireStreams(headers.accept)
      sse.open({ principal }, address, openStream)
    },
    postSse: ({ body, ...request }, id) => sse.post(id, body, request),
    delete: ({ headers, principal }) => handshake.delete({ ...named(headers), principal }),
    endQuestions: () => handshake.endQuestions(),
    close() {
      clearInterval(timer)
      sse.close()
      handshake.close()
      return stateless.close()
    },
  }
}

function named(headers: IncomingHttpHeaders) {
  return { sessionId: single(headers['mcp-session-id']), version: single(headers['mcp-protocol-version']) }
}

/**
 * The JSON-RPC code of a refusal before the message was read; 400 there is a body that is not JSON. The stateless protocol
 * leaves the codes for servers to the earlier one.
 */
export function transportErrorCode(status: number, headers: IncomingHttpHeaders): number {
  if (status === 400) return PARSE_ERROR
  if (status >= 500 && status !== 503) return INTERNAL
  return namesStateless(headers) ? REFUSED : SERVER_ERROR
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
