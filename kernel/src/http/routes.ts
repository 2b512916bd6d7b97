import { BadRequest, type Operation, type Route } from '@gateway/sdk'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BootError, blame } from '../boot/faults.ts'
import { errorRecord, UnknownTool } from '../errors.ts'
import { FaceCall } from '../face-call.ts'
import type { Call, Gateway } from '../gateway.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import type { Calls } from '../mcp/dispatcher.ts'
import { perCaller } from '../mcp/tool-list.ts'
import { core, everything, familyViews, type View } from '../mcp/views.ts'
import { describe } from '../registry/validate.ts'
import { argumentReader, bodyArguments, parseBinding } from './bindings.ts'
import { ClientGone } from './client-gone.ts'
import { sendJson, sendOutcome, sendRecord, sendWhenDone } from './reply.ts'

type Texts = Record<string, string | string[] | undefined>

/**
 * Tools and routes as HTTP. The routes carry no schema for Fastify: validation is the kernel’s, once, on every face, and
 * compiling 189 route schemas would cost the start half a second (633 ms against 31 to 98 ms without).
 */
export function addRoutes(app: FastifyInstance, gateway: Gateway, calls: Calls): void {
  const { tools, routes } = gateway.inventory
  app.post<{ Params: { name: string } }>('/api/tools/:name', (request, reply) => {
    const { name } = request.params
    if (routes.has(name)) {
      // A plain route is no tool: its own path is the only way to it.
      const error = UnknownTool({ name })
      return void sendRecord(reply, error.status, errorRecord(error, request.id))
    }
    const outcome = calls.invoke(callOf(request, name, bodyArguments(request.body), new ClientGone(reply)))
    sendWhenDone(reply, outcome, (to, done) => sendOutcome(to, done, 200))
  })
  app.get('/api/tools', listTools(gateway))
  for (const { plugin, item } of [...tools.values(), ...routes.values()]) {
    if (item.rest === undefined) continue
    try {
      addBinding(app, item, item.rest, calls)
    } catch (error) {
      // The paths of the gateway itself are there by now, and are no plugin’s.
      const { message } = error as Error
      throw new BootError([blame(plugin, 'wire', `${item.name} cannot be bound to ${item.rest}: ${message}; bind it to another path`)])
    }
  }
}

function addBinding(app: FastifyInstance, operation: Operation, rest: string, calls: Calls): void {
  const { method, path } = parseBinding(rest)
  const read = argumentReader(operation)
  app.route<{ Params: Texts; Querystring: Texts }>({
    method,
    url: path,
    config: { credential: (operation as Partial<Route>).credential ?? 'caller' },
    handler: (request, reply) => {
      const args = read(request.params, request.query, request.body)
      sendWhenDone(reply, calls.invoke(callOf(request, operation.name, args, new ClientGone(reply))), sendOutcome)
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
