import type { Gateway, Offered } from '@gateway/kernel'
import { IncomingCall } from '@gateway/mcp'
import type { RawRoute } from '@gateway/sdk'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { argumentReader, parseBinding } from './bindings.ts'
import { ClientGone } from './client-gone.ts'
import { openExchange } from './exchange.ts'
import { rawBinding } from './openapi/raw.ts'
import { sendRecord } from './reply.ts'

type Texts = Record<string, string | string[] | undefined>

/** Raw routes have a context of their own in which no body is parsed, whatever its type. */
export const rawRoutes: FastifyPluginAsync<{ gateway: Gateway; routes: readonly Offered<RawRoute>[] }> = async (
  app,
  { gateway, routes },
) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const route of routes) addRawRoute(app, gateway, route)
}

function addRawRoute(app: FastifyInstance, gateway: Gateway, offered: Offered<RawRoute>): void {
  const { item: route } = offered
  const { method, path } = parseBinding(route.rest)
  const read = argumentReader(route)
  app.route<{ Params: Texts; Querystring: Texts }>({
    method,
    url: path,
    schema: { describe: rawBinding(offered) },
    config: { credential: route.credential, operation: route.name },
    handler: (request, reply) =>
      void serve(request, reply, read(request.params, request.query, undefined)).catch((error) => reply.send(error)),
  })

  async function serve(request: FastifyRequest, reply: FastifyReply, args: object): Promise<void> {
    const call = new RawCall(route.name, args, request, reply)
    const outcome = await gateway.invoke(call)
    if (call.exchange.begun) {
      // An answer that was begun but not ended was broken off: the client must not take it for whole.
      if (!outcome.ok) reply.raw.destroy()
      return
    }
    if (outcome.ok) reply.code(204).send()
    else sendRecord(reply, outcome.status, outcome.error)
  }
}

class RawCall extends IncomingCall {
  readonly exchange: ReturnType<typeof openExchange>

  constructor(name: string, args: object, request: FastifyRequest, reply: FastifyReply) {
    super(name, args, 'rest', { principal: request.principal, requestId: request.id, abort: new ClientGone(reply) })
    this.exchange = openExchange(request, reply)
  }
}
