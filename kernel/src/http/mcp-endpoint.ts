import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorRecord } from '../errors.ts'
import type { Gateway } from '../gateway.ts'
import type { Calls } from '../mcp/dispatcher.ts'
import type { Answer } from '../mcp/handshake.ts'
import { mcpFace, transportErrorCode } from '../mcp/http-face.ts'
import { errorMessage, readableId } from '../mcp/jsonrpc.ts'
import { unreadId } from '../mcp/stateless/classify.ts'
import { core, everything, familyView, type View } from '../mcp/views.ts'
import type { Failures } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { clientGone, sendJson, setRetryAfter } from './reply.ts'

/** `/mcp` and its views: carries requests to the MCP face and its answers back. */
export function addMcp(app: FastifyInstance, gateway: Gateway, calls: Calls, failures: Failures): void {
  const face = mcpFace(gateway, calls)
  app.addHook('preClose', () => face.close())
  const errorHandler = (failure: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = failures(failure, request)
    const data = errorRecord(error, request.id)
    setRetryAfter(reply, data)
    const told = { code: transportErrorCode(error.status), message: error.message, data }
    void sendJson(reply, error.status, errorMessage(readableId(request.body) ?? unreadId(request.headers), told))
  }
  for (const [path, viewOf] of Object.entries(VIEWS)) {
    app.post(path, { errorHandler }, async (request, reply) => {
      const { id, body, principal, headers } = request
      const answer = await face.post({
        headers,
        body,
        principal,
        requestId: id,
        view: viewOf(request),
        abort: clientGone(reply),
        openStream: () => eventStream(reply),
      })
      return answer ? send(reply, answer) : reply
    })
    // No HEAD: it would open a stream that has no body.
    app.get(path, { errorHandler, exposeHeadRoute: false }, async ({ headers, principal }, reply) => {
      const answer = face.get({ headers, principal, openStream: () => eventStream(reply) })
      return answer ? send(reply, answer) : reply
    })
    app.delete(path, { errorHandler }, async ({ headers, principal }, reply) => send(reply, face.delete({ headers, principal })))
  }
}

const VIEWS: Readonly<Record<string, (request: FastifyRequest) => View>> = {
  '/mcp': () => everything,
  '/mcp/core': () => core,
  '/mcp/t/:families': ({ params }) => familyView((params as { families: string }).families.split(',')),
}

function send(reply: FastifyReply, { status, body, sessionId }: Answer): FastifyReply {
  if (sessionId !== undefined) reply.header('mcp-session-id', sessionId)
  return body === undefined ? reply.code(status).send() : sendJson(reply, status, body)
}
