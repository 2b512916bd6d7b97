import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '@gateway/sdk'
import type { Gateway } from '../gateway.ts'
import { NotAcceptable } from '../http/errors.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import { type Calls, createDispatcher } from './dispatcher.ts'
import type { OpenStream } from './event-stream.ts'
import { type Answer, Handshake } from './handshake.ts'
import { INTERNAL, PARSE_ERROR, SERVER_ERROR } from './jsonrpc.ts'
import { isStateless, isStatelessBatch } from './stateless/classify.ts'
import { Stateless } from './stateless/stateless.ts'
import type { View } from './views.ts'

/** One HTTP request to the MCP endpoint, past the guard and the JSON parser. */
export interface McpRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  readonly principal: Principal
  readonly requestId: string
  readonly view: View
  readonly abort: LazyAbort
  readonly openStream: OpenStream
}

export interface McpFace {
  /** Undefined when the answer went out as an event stream. Throws NOT_ACCEPTABLE. */
  post(request: McpRequest): Promise<Answer | undefined> | Answer
  delete(request: Pick<McpRequest, 'headers' | 'principal'>): Answer
  /** Ends what would keep the gateway from stopping. */
  close(): Promise<void>
}

/**
 * The rules of the streamable HTTP transport. GET is not served (405, as the protocol allows): the gateway has nothing
 * to say unasked, and an idle stream per client would hold a socket for nothing.
 */
export function mcpFace(gateway: Gateway, calls: Calls): McpFace {
  const dispatch = createDispatcher(gateway, calls)
  const handshake = new Handshake(gateway, dispatch)
  const stateless = new Stateless(gateway, dispatch)
  return {
    post(request) {
      const { headers, body, principal, requestId, view, abort } = request
      const { accept } = headers
      if (accept !== undefined && !ACCEPTABLE.test(accept)) throw NotAcceptable({ offered: OFFERED, accept: accept.slice(0, 200) })
      const openStream = accept?.includes('text/event-stream') ? request.openStream : undefined
      if (isStateless(body, headers)) return stateless.post(request, openStream)
      if (isStatelessBatch(body)) return stateless.refuseBatch()
      return handshake.post({
        body,
        principal,
        requestId,
        view,
        abort,
        sessionId: single(headers['mcp-session-id']),
        version: single(headers['mcp-protocol-version']),
        openStream,
      })
    },
    delete: ({ headers, principal }) => handshake.end(single(headers['mcp-session-id']), principal),
    close: () => stateless.close(),
  }
}

const OFFERED = ['application/json', 'text/event-stream']
/** Lenient: an absent header and wildcards are taken, so that plain curl works. */
const ACCEPTABLE = /application\/(?:json|\*)|text\/event-stream|\*\/\*/i

/** The JSON-RPC code for a refusal that came before the message was read; 400 there is a body that is not JSON. */
export function transportErrorCode(status: number): number {
  if (status === 400) return PARSE_ERROR
  return status >= 500 && status !== 503 ? INTERNAL : SERVER_ERROR
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
