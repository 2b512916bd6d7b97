import { errorRecord, type Gateway } from '@gateway/kernel'
import {
  type Answer,
  core,
  type EventStream,
  everything,
  familyViews,
  type McpTransport,
  mcpTransport,
  type StreamKind,
  transportErrorCode,
  unreadId,
  type View,
} from '@gateway/mcp'
import { errorMessage, readableId } from '@gateway/mcp/wire'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyLimits } from './body-limits.ts'
import { ClientGone } from './client-gone.ts'
import type { Failures } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { factsOf } from './guard.ts'
import type { LoadShedder } from './load-shedder.ts'
import { sendJson, sendWhenDone, setRetryAfter } from './reply.ts'
import { takeJson } from './take-json.ts'

interface Parts {
  readonly gateway: Gateway
  readonly shedder: LoadShedder
  readonly limits: BodyLimits
  readonly failures: Failures
}

/** `/mcp` and its views: passes requests to the MCP transport and its answers back. */
export const mcp: FastifyPluginAsync<Parts> = async (app, { gateway, shedder, limits, failures }) => {
  const transport = mcpTransport(gateway)
  // Answers to open questions would be refused from now on.
  shedder.onClose(() => transport.endQuestions())
  app.addHook('preClose', () => transport.close())
  takeJson(app, (body) => limits.readMessage(body))
  app.setErrorHandler((failure, request, reply) => {
    const error = failures(failure, reply)
    const data = errorRecord(error, request.id)
    setRetryAfter(reply, data)
    const errorBody = { code: transportErrorCode(error.status, request.headers), message: error.message, data }
    void sendJson(reply, error.status, errorMessage(readableId(request.body) ?? unreadId(request.headers), errorBody))
  })
  const stream = (reply: FastifyReply, kind: StreamKind): EventStream => {
    const facts = factsOf(reply.request)
    return eventStream(reply, async () => kind === 'call' || gateway.access.stillKnows(facts))
  }
  const families = familyViews(gateway.inventory)
  const views: Readonly<Record<string, (request: FastifyRequest) => View>> = {
    '/mcp': () => everything,
    '/mcp/core': () => core,
    // For clients that recognise the transport by the end of an address.
    '/core/mcp': () => core,
    '/mcp/t/:families': ({ params }) => families((params as { families: string }).families),
  }
  for (const [path, viewOf] of Object.entries(views)) {
    app.post(path, { bodyLimit: limits.largest }, (request, reply) => {
      const { id, body, principal, headers } = request
      const answer = transport.post({
        headers,
        body,
        principal,
        requestId: id,
        view: viewOf(request),
        abort: new ClientGone(reply),
        openStream: (kind) => stream(reply, kind),
      })
      sendNowOrLater(reply, answer)
    })
    // Has no HEAD, which would open a stream without a body.
    app.get(path, { exposeHeadRoute: false }, ({ headers, principal }, reply) =>
      sendNowOrLater(reply, transport.get({ headers, principal, openStream: (kind) => stream(reply, kind) })),
    )
    app.delete(path, ({ headers, principal }, reply) => sendNowOrLater(reply, transport.delete({ headers, principal })))
  }
  addSse(app, transport, { bodyLimit: limits.largest, stream })
}

/** The transport of revision 2024-11-05, at the addresses its clients use. */
function addSse(app: FastifyInstance, transport: McpTransport, { bodyLimit, stream }: SseParts): void {
  app.get('/sse', { exposeHeadRoute: false }, ({ headers, principal }, reply) => {
    transport.openSse({ headers, principal, openStream: (kind) => stream(reply, kind) }, '/sse/messages')
  })
  app.post<{ Querystring: { sessionId?: string } }>('/sse/messages', { bodyLimit }, (request, reply) => {
    const { id, body, principal, query } = request
    const facts = factsOf(request)
    const isAdmitted = (): Promise<boolean> => app.stillKnows(facts)
    send(reply, transport.postSse({ body, principal, requestId: id, view: everything, isAdmitted }, String(query.sessionId)))
  })
}

interface SseParts {
  readonly bodyLimit: number
  readonly stream: (reply: FastifyReply, kind: StreamKind) => EventStream
}

function sendNowOrLater(reply: FastifyReply, answer: Promise<Answer | undefined> | Answer | undefined): void {
  if (answer instanceof Promise) sendWhenDone(reply, answer, send)
  else send(reply, answer)
}

/** An undefined answer was sent as an event stream. */
function send(reply: FastifyReply, answer: Answer | undefined): void {
  if (answer === undefined) return
  const { status, body, sessionId } = answer
  if (sessionId !== undefined) reply.header('mcp-session-id', sessionId)
  if (body === undefined) reply.code(status).send()
  else sendJson(reply, status, body)
}
