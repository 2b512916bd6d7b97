import { BootError, blame, type Call, errorRecord, type Gateway, type Offered, type Outcome, UnknownTool } from '@gateway/kernel'
import type { LazyAbort } from '@gateway/mcp'
import { IncomingCall } from '@gateway/mcp'
import type { Operation, RawRoute, Route } from '@gateway/sdk'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { argumentReader, bodyArguments, parseBinding } from './bindings.ts'
import type { BodyLimits } from './body-limits.ts'
import { ClientGone } from './client-gone.ts'
import { idempotencyHeader } from './idempotency-header.ts'
import { binding, toolCalls } from './openapi/tools.ts'
import { rawRoutes } from './raw-routes.ts'
import { sendOutcome, sendRecord, sendWhenDone } from './reply.ts'
import { takeJson } from './take-json.ts'
import { listTools, toolListPage } from './tool-list-page.ts'

type Texts = Record<string, string | string[] | undefined>

/**
 * Tools and routes as HTTP. Their schemas are only in the document: the kernel validates once, on every transport, and
 * compiling 189 route schemas would cost the start half a second (633 ms instead of 31 to 98 ms).
 */
export const rest: FastifyPluginAsync<{ gateway: Gateway; limits: BodyLimits }> = async (app, { gateway, limits }) => {
  const { settings } = gateway
  const { tools, routes } = gateway.inventory
  takeJson(app, (body, { routeOptions, params }) => limits.read(body, routeOptions.config.operation ?? (params as { name?: string }).name))
  const schema = { describe: toolCalls(tools.values()) }
  app.post<{ Params: { name: string } }>('/api/tools/:name', { schema, bodyLimit: limits.largest }, (request, reply) => {
    const { name } = request.params
    if (routes.has(name)) {
      // A plain route is not a tool: its own path is the only way to call it.
      const error = UnknownTool({ name })
      return void sendRecord(reply, error.status, errorRecord(error, request.id))
    }
    const outcome = gateway.invoke(callOf(request, name, bodyArguments(request.body), new ClientGone(reply)))
    sendWhenDone(reply, outcome, (to, done) => sendOutcome(to, done, settings.answerLimitBytes, 200))
  })
  app.get('/api/tools', { schema: toolListPage }, listTools(gateway))
  for (const offered of [...tools.values(), ...routes.values()]) {
    const { plugin, item } = offered
    if (item.rest === undefined || isRaw(item)) continue
    try {
      addBinding(app, offered, item.rest, { gateway, bodyLimit: limits.of(item.name) })
    } catch (error) {
      // The gateway's own paths exist by now, so a clash is the plugin's.
      const { message } = error as Error
      throw new BootError([blame(plugin, 'wire', `${item.name} cannot be bound to ${item.rest}: ${message}; bind it to another path`)])
    }
  }
  app.register(rawRoutes, { gateway, routes: [...routes.values()].filter(isRawOffered) })
}

const isRaw = (item: Operation): item is RawRoute => 'raw' in item
const isRawOffered = (offered: Offered<Operation>): offered is Offered<RawRoute> => isRaw(offered.item)

interface BindingParts {
  readonly gateway: Gateway
  readonly bodyLimit: number
}

function addBinding(app: FastifyInstance, offered: Offered<Operation>, rest: string, { gateway, bodyLimit }: BindingParts): void {
  const { item: operation } = offered
  const { answerLimitBytes } = gateway.settings
  const send = (reply: FastifyReply, outcome: Outcome): void => sendOutcome(reply, outcome, answerLimitBytes)
  const { method, path } = parseBinding(rest)
  const read = argumentReader(operation)
  app.route<{ Params: Texts; Querystring: Texts }>({
    method,
    url: path,
    bodyLimit,
    schema: { describe: binding(offered) },
    config: { operation: operation.name, credential: (operation as Partial<Route>).credential ?? 'caller' },
    handler: (request, reply) => {
      const args = read(request.params, request.query, request.body)
      sendWhenDone(reply, gateway.invoke(callOf(request, operation.name, args, new ClientGone(reply))), send)
    },
  })
}

const callHeaders = ({ traceparent, 'idempotency-key': key }: FastifyRequest['headers']) => ({
  traceparent,
  idempotencyKey: idempotencyHeader(key),
})

type Caller = Pick<FastifyRequest, 'principal' | 'id' | 'headers'>

function callOf({ principal, id, headers }: Caller, name: string, args: object, abort: LazyAbort): Call {
  return new IncomingCall(name, args, 'rest', { principal, requestId: id, abort }, callHeaders(headers))
}
