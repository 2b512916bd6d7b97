import { BootError, blame, type Call, errorRecord, type Gateway, type Outcome, UnknownTool } from '@gateway/kernel'
import type { LazyAbort } from '@gateway/mcp'
import { core, everything, FaceCall, familyViews, perCaller, type View } from '@gateway/mcp'
import { BadRequest, type Operation, type RawRoute, type Route } from '@gateway/sdk'
import { describe } from '@gateway/validation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { argumentReader, bodyArguments, parseBinding } from './bindings.ts'
import type { BodyLimits } from './body-limits.ts'
import { ClientGone } from './client-gone.ts'
import { addRawRoutes } from './raw-routes.ts'
import { sendJson, sendOutcome, sendRecord, sendWhenDone } from './reply.ts'

type Texts = Record<string, string | string[] | undefined>

/**
 * Tools and routes as HTTP. The routes carry no schema for Fastify: validation is the kernel’s, once, on every face, and
 * compiling 189 route schemas would cost the start half a second (633 ms against 31 to 98 ms without).
 */
export function addRoutes(app: FastifyInstance, gateway: Gateway, limits: BodyLimits): void {
  const { settings } = gateway
  const { tools, routes } = gateway.inventory
  app.post<{ Params: { name: string } }>('/api/tools/:name', { bodyLimit: limits.largest }, (request, reply) => {
    const { name } = request.params
    if (routes.has(name)) {
      // A plain route is no tool: its own path is the only way to it.
      const error = UnknownTool({ name })
      return void sendRecord(reply, error.status, errorRecord(error, request.id))
    }
    const outcome = gateway.invoke(callOf(request, name, bodyArguments(request.body), new ClientGone(reply)))
    sendWhenDone(reply, outcome, (to, done) => sendOutcome(to, done, settings.answerLimitBytes, 200))
  })
  app.get('/api/tools', listTools(gateway))
  for (const { plugin, item } of [...tools.values(), ...routes.values()]) {
    if (item.rest === undefined || isRaw(item)) continue
    try {
      addBinding(app, item, item.rest, { gateway, bodyLimit: limits.of(item.name) })
    } catch (error) {
      // The paths of the gateway itself are there by now, and are no plugin’s.
      const { message } = error as Error
      throw new BootError([blame(plugin, 'wire', `${item.name} cannot be bound to ${item.rest}: ${message}; bind it to another path`)])
    }
  }
  addRawRoutes(
    app,
    gateway,
    [...routes.values()].flatMap(({ item }) => (isRaw(item) ? [item] : [])),
  )
}

const isRaw = (item: Operation): item is RawRoute => 'raw' in item

interface BindingParts {
  readonly gateway: Gateway
  readonly bodyLimit: number
}

function addBinding(app: FastifyInstance, operation: Operation, rest: string, { gateway, bodyLimit }: BindingParts): void {
  const { answerLimitBytes } = gateway.settings
  const send = (reply: FastifyReply, outcome: Outcome): void => sendOutcome(reply, outcome, answerLimitBytes)
  const { method, path } = parseBinding(rest)
  const read = argumentReader(operation)
  app.route<{ Params: Texts; Querystring: Texts }>({
    method,
    url: path,
    bodyLimit,
    config: { operation: operation.name, credential: (operation as Partial<Route>).credential ?? 'caller' },
    handler: (request, reply) => {
      const args = read(request.params, request.query, request.body)
      sendWhenDone(reply, gateway.invoke(callOf(request, operation.name, args, new ClientGone(reply))), send)
    },
  })
}

function callOf({ principal, id }: Pick<FastifyRequest, 'principal' | 'id'>, name: string, args: object, abort: LazyAbort): Call {
  return new FaceCall(name, args, 'rest', { principal, requestId: id, abort })
}

/** `?view=` takes what follows `/mcp/` in the address of a view. */
function listTools(gateway: Gateway) {
  const families = familyViews(gateway.inventory)
  const viewOf = (name: string | string[] | undefined): View => {
    if (name === undefined || name === 'all') return everything
    if (name === 'core') return core
    if (typeof name === 'string' && name.startsWith('t/')) return families(name.slice(2))
    throw BadRequest({ field: 'view', message: `\`view\` must be all, core or t/{family,…}; got ${describe(name)}.` })
  }
  const lists = perCaller(gateway, (visible) => {
    const tools = visible.map(({ plugin, item }) => ({
      name: item.name,
      description: item.description,
      plugin,
      capability: item.capability,
      effect: item.effect,
      inputSchema: item.input,
    }))
    return Buffer.from(JSON.stringify({ count: tools.length, tools }))
  })
  return async ({ principal, query }: FastifyRequest, reply: Parameters<typeof sendJson>[0]) =>
    sendJson(reply, 200, await lists(principal, viewOf((query as Texts).view)))
}
