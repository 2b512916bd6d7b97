import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorRecord } from '../errors.ts'
import type { Gateway } from '../gateway.ts'
import type { Calls } from '../mcp/dispatcher.ts'
import type { Answer } from '../mcp/handshake.ts'
import { mcpFace, transportErrorCode } from '../mcp/http-face.ts'
import { errorMessage } from '../mcp/jsonrpc.ts'
import type { EventStream } from '../mcp/progress.ts'
import type { Failures } from './errors.ts'
import { clientGone, sendJson, setRetryAfter } from './reply.ts'

/** A stream that holds more than this unsent has a client that does not keep up. */
const MAX_UNSENT_BYTES = 65_536

/** `/mcp`: carries requests to the MCP face and its answers back. */
export function addMcp(app: FastifyInstance, gateway: Gateway, calls: Calls, failures: Failures): void {
  const face = mcpFace(gateway, calls)
  const errorHandler = (failure: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = failures(failure, request)
    const data = errorRecord(error, request.id)
    setRetryAfter(reply, data)
    void sendJson(reply, error.status, errorMessage(null, { code: transportErrorCode(error.status), message: error.message, data }))
  }
  app.post('/mcp', { errorHandler }, async (request, reply) => {
    const { id, body, principal, headers } = request
    const answer = await face.post({
      headers,
      body,
      principal,
      requestId: id,
      abort: clientGone(reply),
      openStream: () => eventStream(reply),
    })
    return answer ? send(reply, answer) : reply
  })
  app.delete('/mcp', { errorHandler }, async ({ headers, principal }, reply) => send(reply, face.delete({ headers, principal })))
}

function send(reply: FastifyReply, { status, body, sessionId }: Answer): FastifyReply {
  if (sessionId !== undefined) reply.header('mcp-session-id', sessionId)
  return body === undefined ? reply.code(status).send() : sendJson(reply, status, body)
}

/** Takes the reply over from Fastify and writes server-sent events. */
function eventStream(reply: FastifyReply): EventStream {
  const headers = reply.getHeaders() as Record<string, string>
  const { raw } = reply.hijack()
  raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  return {
    get full() {
      return raw.writableLength > MAX_UNSENT_BYTES
    },
    send(message) {
      raw.write(`event: message\ndata: ${message.toString()}\n\n`)
    },
    end() {
      raw.end()
    },
  }
}
